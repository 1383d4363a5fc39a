import type { AheadPolicy } from '../policy/ahead.ts';
import type { ByteRange } from '../range.ts';
import type { ReadJob, readRange } from './reader.ts';

export interface WarmJob extends Omit<ReadJob, 'range' | 'unasked'> {
  readonly read: typeof readRange;
  readonly size: number;
  readonly ahead: AheadPolicy;
}

/**
 * Fetches what every player asks for first, the file's start and its index region, before it asks. One after the
 * other: a backend's seek to the end costs it as much as a reader.
 *
 * @throws SourceFailure; the signal's reason when it aborts
 */
export async function warm(job: WarmJob): Promise<void> {
  for (const range of warmRanges(job.size, job.ahead)) {
    const bytes = job.read({ ...job, range, unasked: true });
    try {
      for (let loan = await bytes.next(); loan !== undefined; loan = await bytes.next()) loan.release();
    } finally {
      bytes.close();
    }
  }
}

function warmRanges(size: number, { warmHead, warmIndex }: AheadPolicy): ByteRange[] {
  const head = Math.min(size, warmHead);
  const index = Math.max(head, size - warmIndex);
  return [
    { first: 0, last: head - 1 },
    { first: index, last: size - 1 },
  ].filter(({ first, last }) => first <= last);
}
