/** Lets one task run at a time, in the order of asking: indexers resent parallel queries with one key. */
export interface Turns {
  /** Runs the task when its turn comes. Rejects with the signal's reason when it aborts while waiting. */
  take<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T>;
}

export function oneAtATime(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take: <T>(signal: AbortSignal, task: () => Promise<T>) => {
      const turn = last.then(() => {
        signal.throwIfAborted();
        return task();
      });
      last = turn.catch(() => undefined);
      return orAborted(turn, signal);
    },
  };
}

/** The task itself watches the signal; this one ends the wait for the turn. */
async function orAborted<T>(turn: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([turn, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}
