import { deferred } from '../io/deferred.ts';
import { unlessAborted } from '../io/wait.ts';

/** Lets a certain number of tasks run at a time, in the order of asking. */
export interface Slots {
  /** Runs the task when a slot is free. Rejects with the signal's reason when it aborts before that. */
  take<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T>;
}

export function openSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  const turn = async (signal: AbortSignal) => {
    const mine = deferred<undefined>();
    const begin = () => {
      mine.resolve(undefined);
    };
    waiting.push(begin);
    try {
      await unlessAborted(mine.promise, signal);
    } catch (error) {
      const place = waiting.indexOf(begin);
      // It may have been given the slot in the same turn.
      if (place === -1) release();
      else waiting.splice(place, 1);
      throw error;
    }
  };
  return {
    take: async (signal, task) => {
      signal.throwIfAborted();
      if (free > 0) free--;
      else await turn(signal);
      try {
        return await task();
      } finally {
        release();
      }
    },
  };
}
