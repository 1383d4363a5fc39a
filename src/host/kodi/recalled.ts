import * as v from 'valibot';
import { sharedNow } from '../../io/shared-clock.ts';
import type { Properties, Recall } from '../port.ts';

/**
 * What the service leaves to the plugin call that it makes itself. The host writes it right before that call, whose URL
 * stays as it is: Kodi's own notes of the film hang on it.
 */
const PROPERTY = 'slipstream.recall';

/** Milliseconds until the call's process must have begun: Kodi may refuse it, and the person may make the same call later. */
const LEASE = 30_000;

const Left = v.object({
  call: v.string(),
  /** sharedNow() */
  until: v.number(),
  release: v.pipe(v.string(), v.maxLength(100)),
  position: v.pipe(v.number(), v.minValue(0)),
});

/** The property's value for a plugin:// call. */
export function recallFor(call: string, { release, position }: Recall): string {
  const left: v.InferOutput<typeof Left> = { call, until: sharedNow() + LEASE, release, position };
  return JSON.stringify(left);
}

/** What was left for this very call; it is gone afterwards. */
export async function takeRecall(call: string, properties: Properties): Promise<Recall | undefined> {
  const text = await properties.get(PROPERTY);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Left), text);
  if (!parsed.success || parsed.output.call !== call) return undefined;
  await properties.clear(PROPERTY);
  const { until, release, position } = parsed.output;
  const left = until - sharedNow();
  // More than the lease: it is no time of that clock.
  return left > 0 && left <= LEASE ? { release, position } : undefined;
}
