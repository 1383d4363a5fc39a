import { deferred } from '../io/deferred.ts';
import { unlessAborted } from '../io/wait.ts';

/** Lets a certain number of tasks run at a time, in the order of asking. */
export interface Slots {
  /** Runs the task when a slot is free. Rejects with the signal's reason when it aborts before that. */
  take<T>(signal: AbortSignal, task: (slot: Slot) => Promise<T>): Promise<T>;
}

export interface Slot {
  /** Leaves the slot to others while `work` only waits, and is the next to have one again. Rejects as `take`. */
  lend<T>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T>;
}

export function openSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  const turn = async (signal: AbortSignal, isNext: boolean) => {
    const mine = deferred<undefined>();
    const begin = () => {
      mine.resolve(undefined);
    };
    if (isNext) waiting.unshift(begin);
    else waiting.push(begin);
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
  const enter = async (signal: AbortSignal, isNext = false) => {
    signal.throwIfAborted();
    if (free > 0) free--;
    else await turn(signal, isNext);
  };
  return {
    take: async (signal, task) => {
      await enter(signal);
      const slot = { isHeld: true };
      const lend: Slot['lend'] = async (until, work) => {
        slot.isHeld = false;
        release();
        const outcome = await work();
        await enter(until, true);
        slot.isHeld = true;
        return outcome;
      };
      try {
        return await task({ lend });
      } finally {
        if (slot.isHeld) release();
      }
    },
  };
}
