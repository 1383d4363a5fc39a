import { type ErrorCode, SlipstreamError } from '../errors/index.ts';

/** This release cannot be played; another one may. */
export class Unplayable extends Error {
  readonly failure: SlipstreamError;

  constructor(failure: SlipstreamError) {
    super(failure.message, { cause: failure });
    this.failure = failure;
  }
}

/** What is the release's own fault, whoever says so. Not a job's timeout: the person's patience is used up then. */
export const RELEASE_FAULTS: ReadonlySet<ErrorCode> = new Set([
  'NZB_INVALID',
  'NZB_INCOMPLETE',
  'SUBMIT_REFUSED',
  'JOB_FAILED',
  'NO_VIDEO',
  'DAMAGED',
  'PREPARE_FAILED',
]);

/** A failure to get a release ready that may be none the next time: who says so does not take it for final. */
export const isTransientFailure = (error: unknown): error is SlipstreamError =>
  error instanceof SlipstreamError && error.code === 'JOB_FAILED' && error.transient;
