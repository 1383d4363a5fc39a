import * as v from 'valibot';
import { monotonicNow } from '../../io/monotonic-clock.ts';
import { pause, poll } from '../../io/wait.ts';
import type { Properties } from '../port.ts';

/**
 * Kodi cannot tell a film that broke off from one that is over, and its playlist calls for the next one at once. That call
 * makes way: it sets aside what was to follow, itself first, and the service plays all of it on behind what takes the
 * broken film's place.
 */
const BROKE_OFF = 'slipstream.broke-off';
const QUEUE = 'slipstream.queue';

/** Milliseconds from a film's end until the call for the next one is made. */
const RECENT_MS = 15_000;
/** Milliseconds until nobody can have been called any more, who takes time to start and reads it then. */
const BROKEN_OFF_LIFETIME = 2 * RECENT_MS;
/** Milliseconds between two looks whether a call has set aside what was to follow. */
const POLL_INTERVAL = 250;

const Entry = v.object({ file: v.string(), label: v.string() });
const Queue = v.array(Entry);
export type QueueEntry = v.InferOutput<typeof Entry>;

/** The service: a film of ours has broken off just now. */
export async function markBrokenOff(properties: Properties): Promise<void> {
  await properties.set(BROKE_OFF, String(monotonicNow()));
}

/** The service: resolves when no call can make way for that film any more, and nothing tells of it. Rejects when aborted. */
export async function clearBrokenOff(properties: Properties, signal: AbortSignal): Promise<void> {
  const at = await properties.get(BROKE_OFF);
  await pause(BROKEN_OFF_LIFETIME, signal);
  if (at !== '' && (await properties.get(BROKE_OFF)) === at) await properties.clear(BROKE_OFF);
}

/** A call: whether a film has broken off just before it, for the first that asks. */
export async function takeBrokenOff(properties: Properties): Promise<boolean> {
  const at = await properties.get(BROKE_OFF);
  if (at === '') return false;
  await properties.clear(BROKE_OFF);
  return isRecent(at);
}

/** Whether a playlist's call that starts this process may have been made by what happened at that time. */
export function isRecent(at: string): boolean {
  const age = monotonicNow() - Number(at || Number.NaN);
  // Our own start counts as well.
  return age >= 0 && age < RECENT_MS + process.uptime() * 1000;
}

export async function setAside(following: readonly QueueEntry[], properties: Properties): Promise<void> {
  await properties.set(QUEUE, JSON.stringify(following));
}

/** What was set aside, until something has been played. */
export async function readSetAside(properties: Properties): Promise<readonly QueueEntry[]> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Queue), await properties.get(QUEUE));
  return parsed.success ? parsed.output : [];
}

/** What was set aside, or is by a call that may yet make way; it is gone afterwards. Rejects when aborted. */
export async function takeSetAside(
  properties: Properties,
  signal: AbortSignal,
): Promise<readonly QueueEntry[]> {
  const isAwaited = (await properties.get(BROKE_OFF)) !== '';
  const look = async () => {
    const entries = await readSetAside(properties);
    return entries.length > 0 || !isAwaited ? entries : undefined;
  };
  const entries = (await poll(look, { signal, interval: () => POLL_INTERVAL, deadline: RECENT_MS })) ?? [];
  if (entries.length > 0) await clearSetAside(properties);
  return entries;
}

/** Something plays: what was set aside has been played on, or is of no use any more. */
export async function clearSetAside(properties: Properties): Promise<void> {
  await properties.clear(QUEUE);
}
