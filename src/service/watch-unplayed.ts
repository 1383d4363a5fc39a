import type { Properties } from '../host/port.ts';
import { PROPERTY, resolver } from '../resolver.ts';

/**
 * Finds announced streams that never started (the player gave up before it opened them, or the plugin process was
 * killed) within `patience` milliseconds. Call the returned function now and then; it withdraws such a stream and returns its URL.
 */
export function watchUnplayed(
  properties: Properties,
  isPlayed: (streamUrl: string) => boolean,
  patience: number,
  now: () => number = () => performance.now(),
): () => Promise<string | undefined> {
  let seen = '';
  let since = 0;
  return async () => {
    const announced = await properties.get(PROPERTY.streamUrl);
    if (announced !== seen || announced === '' || isPlayed(announced)) {
      seen = announced;
      since = now();
      return undefined;
    }
    if (now() - since < patience) return undefined;
    await resolver.withdraw(announced, properties);
    return announced;
  };
}
