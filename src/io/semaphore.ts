import { deferred } from './deferred.ts';
import { unlessAborted } from './wait.ts';

/** Lets a certain number of tasks run at a time, in the order of asking. */
export interface Semaphore {
  /** Runs the task when a slot is free. Rejects with the signal's reason when it aborts before that. */
  run<T>(signal: AbortSignal, task: (slot: SemaphoreSlot) => Promise<T>): Promise<T>;
}

export interface SemaphoreSlot {
  /** Leaves the slot to others while `work` only waits, and is the next to have one again. Rejects as `take`. */
  releaseWhile<T>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T>;
}

export function openSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  const waitForSlot = async (signal: AbortSignal, isNext: boolean) => {
    const granted = deferred<undefined>();
    const grant = () => {
      granted.resolve(undefined);
    };
    if (isNext) waiting.unshift(grant);
    else waiting.push(grant);
    try {
      await unlessAborted(granted.promise, signal);
    } catch (error) {
      const index = waiting.indexOf(grant);
      // It may have been given the slot in the same turn.
      if (index === -1) release();
      else waiting.splice(index, 1);
      throw error;
    }
  };
  const acquire = async (signal: AbortSignal, isNext = false) => {
    signal.throwIfAborted();
    if (free > 0) free--;
    else await waitForSlot(signal, isNext);
  };
  return {
    run: async (signal, task) => {
      await acquire(signal);
      const slot = { isHeld: true };
      const releaseWhile: SemaphoreSlot['releaseWhile'] = async (until, work) => {
        slot.isHeld = false;
        release();
        const outcome = await work();
        await acquire(until, true);
        slot.isHeld = true;
        return outcome;
      };
      try {
        return await task({ releaseWhile });
      } finally {
        if (slot.isHeld) release();
      }
    },
  };
}
