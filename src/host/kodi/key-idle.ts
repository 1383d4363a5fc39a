import { pause } from '../../io/wait.ts';

/**
 * Milliseconds without a key after which nobody is moving through the list: longer than the pause before a held key
 * repeats itself, which is 250 to 500 ms.
 */
const IDLE_MS = 500;

export interface KeyIdle {
  /** A key was pressed. */
  pressed(): void;
  /** The person asked for a change: what waits need not wait any longer. */
  release(): void;
  /** Resolves once no key has come for a while; at once when nobody is moving, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>;
}

/** Tells when the keys have come to rest: a list that is rebuilt between two keys of a held one may undo the second. */
export function openKeyIdle(): KeyIdle {
  let stillAt = 0;
  let hold = new AbortController();
  return {
    pressed: () => {
      stillAt = performance.now() + IDLE_MS;
    },
    release: () => {
      stillAt = 0;
      hold.abort(new Error('a change was asked for'));
      hold = new AbortController();
    },
    wait: async (signal) => {
      for (let left = remaining(stillAt); left > 0 && !signal.aborted; left = remaining(stillAt)) {
        // Its end is all that matters: what follows is decided by the clock and the signal.
        await pause(left, AbortSignal.any([signal, hold.signal])).catch(() => undefined);
      }
    },
  };
}

const remaining = (end: number) => end - performance.now();
