import type { ReadJob, readRange } from './read-range.ts';

export interface PrefetchJob extends Omit<ReadJob, 'isPrefetch'> {
  readonly read: typeof readRange;
}

/**
 * Fetches a range into memory before the player asks for it.
 *
 * @throws SourceFailure; the signal's reason when it aborts
 */
export async function prefetch({ read, ...job }: PrefetchJob): Promise<void> {
  const bytes = read({ ...job, isPrefetch: true });
  try {
    for (let loan = await bytes.next(); loan !== undefined; loan = await bytes.next()) loan.release();
  } finally {
    bytes.close();
  }
}
