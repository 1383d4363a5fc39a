import type { FinishedJob } from '../backends/backend.ts';
import type { JobFile } from '../backends/video/choose-video.ts';
import type { LocalStream, Release } from '../model/index.ts';

/**
 * A stream that can be played, and whose job at the backend is still ours: kept once the stream was handed over,
 * removed when anything comes between.
 */
export interface PendingStream {
  readonly stream: LocalStream;
  /** Where it comes from; absent for a bare URL. */
  readonly from?: StreamOrigin;
  /** The stream was handed over: the job stays. */
  readonly commit: () => Promise<void>;
  /** It was not: the job is removed. Never rejects; what cannot be removed stays in the ledger for the service. */
  readonly discard: () => Promise<void>;
}

/** The release that plays, the job of our backend that holds it where it can be found again, and all files of that. */
export interface StreamOrigin {
  readonly release: Release;
  readonly job?: FinishedJob;
  readonly files: readonly JobFile[];
}

/** Runs `work` with a pending stream; when it fails, the stream's job is removed before the error goes on. */
export async function orDiscard<T>(
  pending: Pick<PendingStream, 'discard'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await pending.discard();
    throw error;
  }
}

/** Of a stream that no job of ours stands behind. */
export const NOTHING_TO_REMOVE: Pick<PendingStream, 'commit' | 'discard'> = {
  commit: () => Promise.resolve(),
  discard: () => Promise.resolve(),
};
