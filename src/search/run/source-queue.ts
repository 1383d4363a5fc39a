import { deferred } from '../../io/deferred.ts';
import { pause, unlessAborted } from '../../io/wait.ts';

/** Lets one task run at a time, in the order of asking: indexers resent parallel queries with one key. */
export interface SourceQueue {
  /** Runs the task when its turn comes. Rejects with the signal's reason when it aborts before that. */
  run<T>(signal: AbortSignal, task: (turn: QueuedTask) => Promise<T>): Promise<T>;
}

export interface QueuedTask {
  /** Waits until a query may be sent: `spacing` milliseconds after the one before was. */
  readonly throttle: (spacing: number, signal: AbortSignal) => Promise<void>;
}

const queues = new Map<string, SourceQueue>();

/** The turns of one source: the same for all searches of this process. */
export function queueOf(sourceId: string): SourceQueue {
  const queue = queues.get(sourceId) ?? openQueue();
  queues.set(sourceId, queue);
  return queue;
}

function openQueue(): SourceQueue {
  let last: Promise<void> = Promise.resolve();
  let lastSent = -Infinity;
  const throttle = async (spacing: number, signal: AbortSignal) => {
    const early = lastSent + spacing - performance.now();
    if (early > 0) await pause(early, signal);
    lastSent = performance.now();
  };
  return {
    run: async (signal, task) => {
      const before = last;
      const done = deferred<undefined>();
      // Whoever gives up waiting still lets nobody pass the one before.
      last = Promise.all([before, done.promise]).then(() => undefined);
      try {
        await unlessAborted(before, signal);
        return await task({ throttle });
      } finally {
        done.resolve(undefined);
      }
    },
  };
}
