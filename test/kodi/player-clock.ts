import { pause } from '../../src/io/wait.ts';
import type { Kodi } from './harness/index.ts';

/** Seconds by which the player's time may run ahead of the wall's. */
const AHEAD = 1;
const INTERVAL_MS = 250;
/** Kodi rounds what it tells. Seconds. */
const ROUNDING = 0.05;

/** Watches the player's time while faults strike: between two seeks it never falls and never leaps ahead. */
export interface PlayerClock {
  /** What was wrong so far. */
  readonly faults: readonly string[];
  /** How often it looked. */
  readonly looks: () => number;
  /** Does something that moves the time, and watches on from where that has led. */
  jump(action: () => Promise<void>): Promise<void>;
  /** Ends the watch; what was wrong is known then. */
  end(): Promise<void>;
}

export function watchClock(kodi: Kodi): PlayerClock {
  const ending = new AbortController();
  const faults: string[] = [];
  let looks = 0;
  let stretch = new Stretch();
  let watching = true;
  const look = async () => {
    const on = stretch;
    const before = performance.now() / 1000;
    const time = await kodi.player.position();
    if (!watching || on !== stretch || ending.signal.aborted) return;
    looks++;
    const fault = on.add(before, time, performance.now() / 1000);
    if (fault !== undefined) faults.push(fault);
  };
  const run = async () => {
    while (!ending.signal.aborted) {
      await look();
      await pause(INTERVAL_MS, ending.signal);
    }
  };
  const running = run().catch((error: unknown) => {
    if (!ending.signal.aborted) faults.push(String(error));
  });
  return {
    faults,
    looks: () => looks,
    jump: async (action) => {
      watching = false;
      try {
        await action();
      } finally {
        stretch = new Stretch();
        watching = true;
      }
    },
    end: async () => {
      ending.abort();
      await running;
    },
  };
}

/** What is between two seeks. */
class Stretch {
  #last = -Infinity;
  /** The least that the player's time was ahead of the wall's, when it was told for the first time. */
  #least = Infinity;

  /** One look; `before` and `after` are its times by the wall, in seconds. Gives what is wrong. */
  add(before: number, time: number | undefined, after: number): string | undefined {
    if (time === undefined) return 'the player plays nothing any more';
    // Kodi tells the same time again while its reader waits for bytes, though the picture goes on from its queues.
    if (time === this.#last) return undefined;
    const [last, ahead] = [this.#last, time - after - this.#least];
    this.#last = time;
    this.#least = Math.min(this.#least, time - before);
    if (time < last - ROUNDING) return `the time fell from ${last} to ${time}`;
    if (ahead > AHEAD) return `the time ran ${ahead} s ahead of the clock, to ${time}`;
    return undefined;
  }
}
