import type { Backend } from '../backends/backend.ts';
import type { AbandonedJob } from '../backends/ledger.ts';
import type { Logger } from '../log/index.ts';

/** How long one removal may take; a backend that is away is tried again on the next round. */
const REMOVAL_TIMEOUT_MS = 15_000;

/** Removes from the backend what killed processes left behind, and strikes it from the ledger. @throws when aborted */
export async function sweep(
  abandoned: readonly AbandonedJob[],
  backend: Backend | undefined,
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
  if (backend === undefined) return;
  for (const job of abandoned) {
    signal.throwIfAborted();
    try {
      await backend.remove(job, AbortSignal.any([signal, AbortSignal.timeout(REMOVAL_TIMEOUT_MS)]));
      await job.strike();
      log.info(`removed an abandoned job from ${backend.name}`);
    } catch (error) {
      if (signal.aborted) return;
      log.warning(
        `an abandoned job is still at ${backend.name}: ${error instanceof Error ? error.message : 'unknown'}`,
      );
    }
  }
}
