import { CancelledError } from '../../errors/index.ts';
import type { ProgressDisplay } from '../../host/port.ts';
import type { SetupContext } from '../action.ts';

/** Works while a progress display is up, beside which nothing is asked, and which is closed on every path. @returns undefined when the person cancels */
export async function whileShowing<T>(
  title: string,
  { host, signal }: SetupContext,
  work: (progress: ProgressDisplay, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const progress = await host.openProgress(title, { alone: true });
  try {
    return await work(progress, AbortSignal.any([signal, progress.cancelled]));
  } catch (error) {
    if (error instanceof CancelledError && error.by === 'person' && progress.cancelled.aborted)
      return undefined;
    throw error;
  } finally {
    await progress.close();
  }
}
