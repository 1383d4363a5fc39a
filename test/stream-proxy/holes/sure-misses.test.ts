import { describe, expect, it } from 'vitest';
import type { RangedReader } from '../../../src/media/ranged-reader.ts';
import { readOrMiss } from '../../../src/media/stretch.ts';
import { withSureMisses } from '../../../src/stream-proxy/holes/sure-misses.ts';
import { type FailureKind, SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';

const { signal } = new AbortController();

/** What is read of a file each read of which fails, so often, in this way, by what takes each failure for a miss. */
async function readOf(kind: FailureKind, times: number, breaksTell = false) {
  let reads = 0;
  const file: RangedReader = {
    size: 100,
    read: () =>
      ++reads <= times
        ? Promise.reject(new SourceFailure(kind, 'simulated'))
        : Promise.resolve(new Uint8Array([1])),
  };
  const bytes = await withSureMisses({ file, breaksTell, signal }, (sure, end) =>
    readOrMiss(sure, 0, 0, end),
  );
  return { bytes, reads };
}

describe('what takes each failed read for one of lost bytes', () => {
  it('misses at once what the source calls missing', async () => {
    expect(await readOf('missing', Infinity)).toEqual({ bytes: undefined, reads: 1 });
  });

  it.each(['unreachable', 'stalled', 'broken', 'unavailable', 'wrong-answer'] as const)(
    'is given the bytes of a read that was %s twice',
    async (kind) => {
      expect(await readOf(kind, 2)).toEqual({ bytes: Buffer.from([1]), reads: 3 });
    },
  );

  it.each(['unreachable', 'stalled', 'broken', 'another', 'gone'] as const)(
    'ends with a read that is %s each time',
    async (kind) => {
      await expect(readOf(kind, Infinity)).rejects.toMatchObject({ kind });
    },
  );

  it('misses what breaks off twice where that tells of lost bytes', async () => {
    expect(await readOf('broken', Infinity, true)).toEqual({ bytes: undefined, reads: 2 });
    expect(await readOf('broken', 1, true)).toEqual({ bytes: Buffer.from([1]), reads: 2 });
  });

  it('ends with the signal', async () => {
    const file: RangedReader = { size: 1, read: () => Promise.reject(new SourceFailure('stalled', '')) };
    const ending = new AbortController();
    const reading = withSureMisses({ file, breaksTell: false, signal: ending.signal }, (sure, end) =>
      readOrMiss(sure, 0, 0, end),
    );
    ending.abort(new Error('closed'));
    await expect(reading).rejects.toThrow('closed');
  });
});
