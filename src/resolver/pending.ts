import type { LocalStream } from '../model/index.ts';

/**
 * A stream that can be played, and whose job at the backend is still ours: kept once the stream was handed over,
 * removed when anything comes between.
 */
export interface PendingStream {
  readonly stream: LocalStream;
  /** The stream was handed over: the job stays. */
  readonly commit: () => Promise<void>;
  /** It was not: the job is removed. Never rejects; what cannot be removed stays in the ledger for the service. */
  readonly discard: () => Promise<void>;
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
