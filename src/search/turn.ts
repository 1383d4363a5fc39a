import { deferred } from '../io/deferred.ts';
import { pause, unlessAborted } from '../io/wait.ts';

/** Lets one task run at a time, in the order of asking: indexers resent parallel queries with one key. */
export interface Turns {
  /** Runs the task when its turn comes. Rejects with the signal's reason when it aborts before that. */
  take<T>(signal: AbortSignal, task: (turn: Turn) => Promise<T>): Promise<T>;
}

export interface Turn {
  /** Waits until a query may be sent: `spacing` milliseconds after the one before was. */
  readonly paced: (spacing: number, signal: AbortSignal) => Promise<void>;
}

const sources = new Map<string, Turns>();

/** The turns of one source: the same for all searches of this process. */
export function turnsOf(sourceId: string): Turns {
  const turns = sources.get(sourceId) ?? oneAtATime();
  sources.set(sourceId, turns);
  return turns;
}

function oneAtATime(): Turns {
  let last: Promise<void> = Promise.resolve();
  let sent = -Infinity;
  const paced = async (spacing: number, signal: AbortSignal) => {
    const early = sent + spacing - performance.now();
    if (early > 0) await pause(early, signal);
    sent = performance.now();
  };
  return {
    take: async (signal, task) => {
      const before = last;
      const turn = deferred<undefined>();
      // Whoever gives up waiting still lets nobody pass the one before.
      last = Promise.all([before, turn.promise]).then(() => undefined);
      try {
        await unlessAborted(before, signal);
        return await task({ paced });
      } finally {
        turn.resolve(undefined);
      }
    },
  };
}
