import * as v from 'valibot';
import { monotonicNow } from '../../io/monotonic-clock.ts';
import type { Properties, ReplayRequest } from '../port.ts';

/**
 * What the service leaves to the plugin call that it makes itself. The host writes it right before that call, whose URL
 * stays as it is: Kodi's own notes of the film hang on it.
 */
const PROPERTY = 'slipstream.recall';

/** Milliseconds until the call's process must have begun: Kodi may refuse it, and the person may make the same call later. */
const LEASE = 30_000;

const StoredRequest = v.object({
  call: v.string(),
  /** monotonicNow() */
  until: v.number(),
  release: v.pipe(v.string(), v.maxLength(100)),
  position: v.pipe(v.number(), v.minValue(0)),
});

/** The property's value for a plugin:// call. */
export function encodeReplayRequest(call: string, { release, position }: ReplayRequest): string {
  const left: v.InferOutput<typeof StoredRequest> = {
    call,
    until: monotonicNow() + LEASE,
    release,
    position,
  };
  return JSON.stringify(left);
}

/** What was left for this very call; it is gone afterwards. */
export async function takeReplayRequest(
  call: string,
  properties: Properties,
): Promise<ReplayRequest | undefined> {
  const text = await properties.get(PROPERTY);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), StoredRequest), text);
  if (!parsed.success || parsed.output.call !== call) return undefined;
  await properties.clear(PROPERTY);
  const { until, release, position } = parsed.output;
  const left = until - monotonicNow();
  // More than the lease: it is no time of that clock.
  return left > 0 && left <= LEASE ? { release, position } : undefined;
}
