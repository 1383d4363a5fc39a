import type { RangedReader } from '../../media/ranged-reader.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { RetryPolicy } from '../policy/policies.ts';
import { MAX_READ_BYTES, readBytes } from '../source/read-bytes.ts';
import type { ByteSource } from '../source/source.ts';
import type { Loan } from './cache.ts';

export interface PatchedFileOptions {
  readonly source: ByteSource;
  readonly size: number;
  readonly policy: RetryPolicy;
  /** What is known without the source: fills, and what is in memory. */
  readonly bytesAt: (position: number) => Loan | undefined;
  /** The start of the next fill after a position, where the source has no bytes. */
  readonly nextFill: (position: number) => number;
}

/** The file as players get it, for those who look into its structure. One attempt for each read. */
export function patchedFile({
  source,
  size,
  policy,
  bytesAt: known,
  nextFill,
}: PatchedFileOptions): RangedReader {
  const fetch = async (first: number, last: number, signal: AbortSignal) => {
    const wish = { first, last, size, timeout: policy.nextByteTimeout, signal };
    return readBytes(await source.open(wish), last - first + 1, {
      stallTimeout: policy.stallTimeout,
      signal,
    });
  };
  return {
    size,
    read: async (first, last, signal) => {
      if (last - first >= MAX_READ_BYTES) throw new SourceFailure('wrong-answer', 'too much at once');
      const bytes = Buffer.alloc(last - first + 1);
      for (let position = first; position <= last; ) {
        const loan = known(position);
        const part = loan?.bytes ?? (await fetch(position, Math.min(last, nextFill(position) - 1), signal));
        bytes.set(part.subarray(0, last - position + 1), position - first);
        position += part.byteLength;
        loan?.release();
      }
      return bytes;
    },
  };
}
