import { asSlipstreamError, type ErrorCode, SlipstreamError } from '../../errors/index.ts';
import { quotedSuffix } from '../../io/external-text.ts';
import { deadlineSignal, pause, poll } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { FinishedJob, WaitOptions } from '../backend.ts';

/** How a backend is asked about a job. */
export interface JobPoll {
  readonly backend: { readonly name: string };
  /** One look at the job; undefined: it is not ready. */
  readonly look: (signal: AbortSignal) => Promise<FinishedJob | undefined>;
  /** Milliseconds until the next look. */
  readonly interval: () => number;
  /** Milliseconds that may pass without a good answer: a restart of the server is sat out. */
  readonly silence: number;
  readonly tooLate: () => SlipstreamError;
  /** Nothing is ready as soon as it is submitted: the first look comes after an interval, too. */
  readonly restsFirst?: boolean;
}

/** Failures that looking again does not heal. */
const FINAL_CODES: ReadonlySet<ErrorCode> = new Set([
  ...(['AUTH_FAILED', 'NOT_CONFIGURED', 'JOB_FAILED', 'TOO_LARGE', 'INTERNAL'] as const),
]);

/** Looks at the job until it is ready. @throws as Backend.waitUntilReady, and what the backend's last answer was */
export async function pollJob(
  { backend, look, interval, silence, tooLate, restsFirst = false }: JobPoll,
  { signal, timeout }: Pick<WaitOptions, 'signal' | 'timeout'>,
  log: Logger,
): Promise<FinishedJob> {
  const limit = deadlineSignal(signal, timeout, tooLate);
  let lastAnswer = performance.now();
  const patientLook = async (): Promise<FinishedJob | undefined> => {
    try {
      const finished = await look(limit.signal);
      lastAnswer = performance.now();
      return finished;
    } catch (error) {
      limit.signal.throwIfAborted();
      const failure = asSlipstreamError(error);
      if (FINAL_CODES.has(failure.code) || performance.now() - lastAnswer > silence) throw failure;
      log.debug(`${backend.name}: no good answer about the job: ${failure.message}`);
      return undefined;
    }
  };
  try {
    if (restsFirst) await pause(interval(), limit.signal);
    const finished = await poll(patientLook, { signal: limit.signal, interval });
    // Without a deadline of its own, polling ends with what it looked for.
    if (finished === undefined) throw tooLate();
    return finished;
  } finally {
    limit.done();
  }
}

/** @param timeout Milliseconds. */
export const jobTimeoutError = (name: string, timeout: number): SlipstreamError =>
  new SlipstreamError('JOB_TIMEOUT', {
    what: `${name} did not get the release ready within ${Math.ceil(timeout / 1000)} seconds.`,
    next: 'Try another release, or allow more time in the settings of Slipstream (Playback).',
  });

/**
 * The job stood in the queue the whole time.
 * @param timeout Milliseconds.
 * @param held As JobProgress.stallReason
 */
export const neverStartedError = (name: string, timeout: number, held = ''): SlipstreamError =>
  new SlipstreamError('JOB_TIMEOUT', {
    what: `${name} did not begin with the release within ${Math.ceil(timeout / 1000)} seconds${quotedSuffix(held)}.`,
    next: `Look in ${name} whether other downloads come first, and whether your usenet provider answers and accepts the login.`,
  });
