import { describe, expect, it } from 'vitest';
import type { RangedReader } from '../../../src/media/ranged-reader.ts';
import { readIfAvailable } from '../../../src/media/read-around.ts';
import { withConfirmedMisses } from '../../../src/stream-proxy/holes/confirmed-misses.ts';
import { Fills } from '../../../src/stream-proxy/holes/fills.ts';
import { ZeroRunProber } from '../../../src/stream-proxy/holes/probe-zero-run.ts';
import { type FailureKind, SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { FILL_POLICY } from '../../../src/stream-proxy/policy/fills.ts';
import type { ByteSource } from '../../../src/stream-proxy/source/source.ts';

const { signal } = new AbortController();

/** What a planner gets of a file whose reads fail in these ways, one after the other; it takes each failure for a miss. */
const readOf = (...failures: readonly FailureKind[]) => readWhere(true, failures);

async function readWhere(breaksTell: boolean, failures: readonly FailureKind[]) {
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
    file,
    signal,
    breaksTell,
    onStep: () => {
      steps++;
    },
  };
  const outcome = await withConfirmedMisses(misses, (sure, end) => readIfAvailable(sure, 0, 0, end)).then(
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

  it('ends with what breaks off each time where that says nothing of lost bytes', async () => {
    expect(await readWhere(false, ['broken', 'broken'])).toEqual({ outcome: 1, reads: 3 });
    expect(await readWhere(false, ['broken', 'broken', 'broken'])).toEqual({ outcome: 'broken', reads: 3 });
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
    const reading = withConfirmedMisses(
      { file, signal: ending.signal, breaksTell: true, onStep: () => undefined },
      (sure, end) => readIfAvailable(sure, 0, 0, end),
    );
    ending.abort(new Error('closed'));
    await expect(reading).rejects.toThrow('closed');
  });
});

it('zeros are not taken for the film’s own where the server breaks off while they are looked into', async () => {
  const size = 1_000_000;
  const file: RangedReader = {
    size,
    read: (first, last) => {
      if (first === 0) return Promise.reject(new SourceFailure('broken', 'simulated'));
      const isZero = (at: number) => at >= 100_000 && at < 300_000;
      const bytes = Uint8Array.from({ length: last - first + 1 }, (_, i) => (isZero(first + i) ? 0 : 1));
      return Promise.resolve(bytes);
    },
  };
  const rows = new ZeroRunProber({
    source: NOWHERE,
    size,
    mime: 'video/x-matroska',
    policy: FILL_POLICY,
    file,
    signal,
    planFill: () => Promise.resolve({ refused: 'nobody asks' }),
    fills: new Fills([]),
    onProbe: () => undefined,
  });
  // Without its head nothing can be told of a film: no place is found at which something must begin.
  const begin = async (_run: unknown, sure: RangedReader, end: AbortSignal) =>
    (await readIfAvailable(sure, 0, 0, end)) === undefined ? undefined : 150_000;
  const looked = rows.probe({ first: 100_000, last: 200_000 }, begin, new SourceFailure('missing', 'zeros'));
  await expect(looked).rejects.toMatchObject({ kind: 'broken' });
});

const NOWHERE: ByteSource = {
  host: 'nas:8080',
  label: 'The file server (nas:8080)',
  validators: undefined,
  open: () => Promise.reject(new SourceFailure('unreachable', 'nobody asks')),
};
