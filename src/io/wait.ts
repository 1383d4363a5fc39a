// The only place that waits. Every wait ends at once, by rejecting with the signal's reason, when its signal aborts.

/** Milliseconds (24 days): a timer that is set to more fires at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** Resolves after `ms` milliseconds (24 days at the most). Rejects with `signal.reason` as soon as the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, MAX_TIMER),
    );
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Called often by work that waits for nothing. Rejects with the signal's reason once it has aborted. */
export type YieldToLoop = () => Promise<void>;

/** Milliseconds of work after which everything else has its turn: somebody may be playing from the same process. */
export const YIELD_INTERVAL_MS = 4;

/** Lets everything else that waits have its turn whenever `ms` milliseconds of work have passed; other calls cost little. */
export function yieldEvery(ms: number, signal: AbortSignal): YieldToLoop {
  let since = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - since < ms) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    since = performance.now();
  };
}

export interface PollOptions {
  readonly signal: AbortSignal;
  /** Milliseconds until the next look, given how many looks there were (from 1). */
  readonly interval: (looks: number) => number;
  /** Milliseconds in all; without it only the signal ends the polling. */
  readonly deadline?: number;
}

/**
 * Calls `look` until it gives something other than undefined, and returns that; undefined when the deadline
 * passes first. One look at a time, never two; the deadline does not cut off a look, and the last look comes with it.
 */
export async function poll<T>(
  look: (signal: AbortSignal) => Promise<T | undefined>,
  { signal, interval, deadline = Infinity }: PollOptions,
): Promise<T | undefined> {
  const end = performance.now() + deadline;
  for (let looks = 1; ; looks++) {
    signal.throwIfAborted();
    const found = await look(signal);
    if (found !== undefined) return found;
    const left = end - performance.now();
    if (left <= 0) return undefined;
    await pause(Math.min(interval(looks), left), signal);
  }
}

/** A signal that aborts with `reason` when time is up or when the parent does. Call `done` when the work has ended. */
export function deadlineSignal(
  parent: AbortSignal,
  ms: number,
  reason: () => Error,
): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController();
  const onAbort = () => {
    clearTimeout(timer);
    controller.abort(parent.reason);
  };
  const done = () => {
    clearTimeout(timer);
    parent.removeEventListener('abort', onAbort);
  };
  const onTime = () => {
    done();
    controller.abort(reason());
  };
  const timer = setTimeout(onTime, Math.min(ms, MAX_TIMER));
  if (parent.aborted) onAbort();
  else parent.addEventListener('abort', onAbort, { once: true });
  return { signal: controller.signal, done };
}

/** Settles as the promise does; rejects with the signal's reason as soon as it aborts, whatever the promise does then. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export interface Watchdog {
  /** A wait begins. */
  start(): void;
  /** It has ended in time. */
  stop(): void;
  /** Nothing will be waited for any more. */
  end(): void;
}

/**
 * Calls `onSilence` when a wait lasts `ms` milliseconds. One timer serves all waits of a stream, one after the other:
 * a signal for each would cost more than the chunk that is waited for.
 */
export function watchdog(ms: number, onSilence: () => void): Watchdog {
  let waiting = false;
  const timer = setTimeout(() => {
    if (waiting) onSilence();
  }, ms);
  return {
    start: () => {
      waiting = true;
      timer.refresh();
    },
    stop: () => {
      waiting = false;
    },
    end: () => {
      waiting = false;
      clearTimeout(timer);
    },
  };
}

/**
 * Runs `task` every `ms` milliseconds, one run at a time, until the signal aborts; the returned promise then resolves,
 * also when that is what the task failed of. Any other failure of the task ends it with that failure.
 */
export async function repeatEvery(
  ms: number,
  signal: AbortSignal,
  task: () => Promise<void> | void,
): Promise<void> {
  const round = async () => {
    await task();
    await pause(ms, signal);
  };
  while (!signal.aborted) {
    await round().catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
