/** One way to a result. It calls `heard` as soon as something has come of it. */
export type OrderedAttempt<T> = (signal: AbortSignal, heard: () => void) => Promise<T>;

interface TryInOrderOptions {
  /** Resolves when a way of which nothing was heard has been given time enough; rejects when its signal aborts. */
  readonly patience: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Tries the ways in their order until one of them leads to a result. The next one begins when one has failed, and beside
 * one that keeps silent. The first result counts: the other ways are then broken off, and have ended when this ends.
 *
 * @returns the result, or why each of the ways has failed. @throws the signal's reason
 */
export async function tryInOrder<T>(
  ways: readonly OrderedAttempt<T>[],
  { patience, signal }: TryInOrderOptions,
): Promise<{ readonly result: T } | { readonly failures: readonly unknown[] }> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const failures: unknown[] = [];
  let found: { readonly result: T } | undefined;
  let begun = 0;
  const next = async (): Promise<void> => {
    const place = begun++;
    const way = ways[place];
    if (way === undefined || until.aborted) return;
    const listening = new AbortController();
    const heard = () => {
      listening.abort(new Error('it is not silent'));
    };
    const beside = patience(AbortSignal.any([until, listening.signal])).then(next, () => undefined);
    try {
      const result = await way(until, heard);
      found ??= { result };
      over.abort(new Error('another way has led to a result'));
    } catch (error) {
      failures[place] = error;
      heard();
      await next();
    }
    heard();
    await beside;
  };
  await next();
  signal.throwIfAborted();
  return found ?? { failures };
}
