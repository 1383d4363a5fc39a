import { asSlipstreamError, SlipstreamError } from '../../errors/index.ts';
import { pause, poll } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { JobProgress } from '../../model/index.ts';
import type { FinishedJob, WaitOptions } from '../backend.ts';
import { neverStartedError } from '../job/poll-job.ts';
import { ApiMissing } from '../sabnzbd/answer.ts';
import type { StreamService } from './service.ts';
import type { DirectStreamTimings } from './timings.ts';

interface StallContext {
  readonly service: Pick<StreamService, 'name' | 'stallReason'>;
  readonly times: Pick<DirectStreamTimings, 'stallCheck'>;
  readonly log: Logger;
}

/**
 * Waits for an order, whose call says nothing until it is answered, and asks beside it why it is held: that goes along with
 * the progress, and is taken back when it is over.
 * @throws as `wait`; JOB_TIMEOUT with the reason where the order was held to the end
 */
export async function waitWithStallReason(
  { service, times, log }: StallContext,
  options: WaitOptions,
  wait: (options: WaitOptions) => Promise<FinishedJob>,
): Promise<FinishedJob> {
  if (service.stallReason === undefined) return await wait(options);
  let last: JobProgress | undefined;
  let held: string | undefined;
  const tell = () => {
    if (last === undefined) return;
    options.onProgress(held === undefined || last.stage === 'ready' ? last : { ...last, stallReason: held });
  };
  const onReason = (reason: string | undefined) => {
    if (reason === held) return;
    held = reason;
    tell();
  };
  const onProgress = (progress: JobProgress) => {
    last = progress;
    tell();
  };
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  const watching = pollStallReason({ service, times, log }, signal, onReason);
  try {
    return await wait({ ...options, onProgress });
  } catch (error) {
    const isTooLate = error instanceof SlipstreamError && error.code === 'JOB_TIMEOUT';
    throw isTooLate && held !== undefined ? neverStartedError(service.name, options.timeout, held) : error;
  } finally {
    over.abort(new Error('nobody waits for the order any more'));
    await watching;
  }
}

/** Asks until the signal aborts, or it is refused: whatever goes wrong with it, the order goes on. Never rejects. */
async function pollStallReason(
  { service, times, log }: StallContext,
  signal: AbortSignal,
  onReason: (reason: string | undefined) => void,
): Promise<void> {
  const look = async (): Promise<'refused' | undefined> => {
    const { reason, isRefused } = await readStallReason(service, signal, log);
    // Nobody waits for the order any more: nothing is told behind its end.
    signal.throwIfAborted();
    onReason(reason);
    return isRefused ? 'refused' : undefined;
  };
  try {
    // Most orders are ready before that, and cost no request.
    await pause(times.stallCheck, signal);
    await poll(look, { signal, interval: () => times.stallCheck });
  } catch (error) {
    if (!signal.aborted) log.error(`asking ${service.name} why it waits`, error);
  }
}

interface StallAnswer {
  readonly reason?: string | undefined;
  /** The next question would be answered alike. */
  readonly isRefused: boolean;
}

/** What was told before may be over where the question fails: nothing is known then. */
async function readStallReason(
  service: StallContext['service'],
  signal: AbortSignal,
  log: Logger,
): Promise<StallAnswer> {
  try {
    return { reason: await service.stallReason?.(signal), isRefused: false };
  } catch (error) {
    signal.throwIfAborted();
    const failure = asSlipstreamError(error);
    log.debug(`${service.name} does not say whether it waits: ${failure.message}`);
    return { isRefused: failure instanceof ApiMissing || failure.code === 'AUTH_FAILED' };
  }
}
