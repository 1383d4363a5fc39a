import type { ProgressDisplay, ProgressState } from '../host/port.ts';

/** A progress that is opened, at what it would show by then, when `signal` aborts, unless it is closed by then. */
export function openDelayedProgress(
  signal: AbortSignal,
  open: () => Promise<ProgressDisplay>,
): ProgressDisplay {
  const cancelled = new AbortController();
  let opened: Promise<ProgressDisplay | undefined> | undefined;
  let last: ProgressState | undefined;
  const begin = async () => {
    const progress = await open();
    const cancel = () => {
      cancelled.abort(progress.cancelled.reason);
    };
    if (progress.cancelled.aborted) cancel();
    progress.cancelled.addEventListener('abort', cancel, { once: true });
    if (last !== undefined) await progress.update(last);
    return progress;
  };
  const onAbort = () => {
    // Nothing that is shown may end what it is shown of.
    opened = begin().catch(() => undefined);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    update: async (state) => {
      last = state;
      await (await opened)?.update(state);
    },
    cancelled: cancelled.signal,
    close: async () => {
      signal.removeEventListener('abort', onAbort);
      await (await opened)?.close();
    },
  };
}
