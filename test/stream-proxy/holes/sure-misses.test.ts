import { describe, expect, it } from 'vitest';
import type { RangedReader } from '../../../src/media/ranged-reader.ts';
import { readOrMiss } from '../../../src/media/stretch.ts';
import { withSureMisses } from '../../../src/stream-proxy/holes/sure-misses.ts';
import { type FailureKind, SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';

const { signal } = new AbortController();

/** What a planner gets of a file whose reads fail in these ways, one after the other; it takes each failure for a miss. */
async function readOf(...failures: readonly FailureKind[]) {
  let [reads, steps] = [0, 0];
  const file: RangedReader = {
    size: 100,
    read: () => {
      const kind = failures[reads++];
      return kind === undefined
        ? Promise.resolve(new Uint8Array([1]))
        : Promise.reject(new SourceFailure(kind, 'simulated'));
    },
  };
  const misses = {
    ...{ file, signal },
    onStep: () => {
      steps++;
    },
  };
  const outcome = await withSureMisses(misses, (sure, end) => readOrMiss(sure, 0, 0, end)).then(
    (bytes) => bytes?.length ?? 'a miss',
    (error: unknown) => (error instanceof SourceFailure ? error.kind : String(error)),
  );
  expect(steps).toBe(reads);
  return { outcome, reads };
}

describe('what takes each failed read for one of lost bytes', () => {
  it('misses at once what the source calls missing', async () => {
    expect(await readOf('missing')).toEqual({ outcome: 'a miss', reads: 1 });
  });

  it('misses what breaks off twice, as at a lost article behind the first byte', async () => {
    expect(await readOf('broken', 'broken')).toEqual({ outcome: 'a miss', reads: 2 });
    expect(await readOf('stalled', 'broken')).toEqual({ outcome: 1, reads: 3 });
    expect(await readOf('broken', 'stalled', 'broken')).toEqual({ outcome: 'a miss', reads: 3 });
  });

  it.each(['unreachable', 'stalled', 'unavailable', 'away', 'wrong-answer'] as const)(
    'is given the bytes of a read that was %s twice, and ends when it is so again',
    async (kind) => {
      expect(await readOf(kind, kind)).toEqual({ outcome: 1, reads: 3 });
      expect(await readOf(kind, kind, kind)).toEqual({ outcome: kind, reads: 3 });
    },
  );

  it.each(['another', 'gone', 'withdrawn', 'refused', 'changed', 'no-ranges'] as const)(
    'ends at once with a read that is %s: another attempt would bring nothing else',
    async (kind) => {
      expect(await readOf(kind)).toEqual({ outcome: kind, reads: 1 });
    },
  );

  it('ends with the signal', async () => {
    const file: RangedReader = { size: 1, read: () => Promise.reject(new SourceFailure('stalled', '')) };
    const ending = new AbortController();
    const reading = withSureMisses({ file, signal: ending.signal, onStep: () => undefined }, (sure, end) =>
      readOrMiss(sure, 0, 0, end),
    );
    ending.abort(new Error('closed'));
    await expect(reading).rejects.toThrow('closed');
  });
});
