import type { Properties } from '../host/port.ts';
import { PROPERTY, withdraw } from '../resolver.ts';

/** A stream that was announced and that no player opened for this long will not be played. */
const UNPLAYED_MS = 60_000;

/**
 * Finds announced streams that never started (the player gave up before it opened them, or the plugin process was
 * killed). Call the returned function now and then; it withdraws such a stream and returns its URL.
 */
export function watchUnplayed(
  properties: Properties,
  current: () => string | undefined,
  now: () => number = () => performance.now(),
): () => Promise<string | undefined> {
  let seen = '';
  let since = 0;
  return async () => {
    const announced = await properties.get(PROPERTY.streamUrl);
    if (announced !== seen || announced === current()) {
      seen = announced;
      since = now();
      return undefined;
    }
    if (announced === '' || now() - since < UNPLAYED_MS) return undefined;
    await withdraw(announced, properties);
    return announced;
  };
}
