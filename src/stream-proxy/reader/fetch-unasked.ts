import type { ReadJob, readRange } from './reader.ts';

export interface UnaskedJob extends Omit<ReadJob, 'unasked'> {
  readonly read: typeof readRange;
}

/**
 * Fetches a range into memory before the player asks for it.
 *
 * @throws SourceFailure; the signal's reason when it aborts
 */
export async function fetchUnasked({ read, ...job }: UnaskedJob): Promise<void> {
  const bytes = read({ ...job, unasked: true });
  try {
    for (let loan = await bytes.next(); loan !== undefined; loan = await bytes.next()) loan.release();
  } finally {
    bytes.close();
  }
}
