import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Deferred, deferred } from '../../../src/io/deferred.ts';
import { SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { openHedged } from '../../../src/stream-proxy/source/open-hedged.ts';
import type { ByteSource, OpenedRange, RangeRequest } from '../../../src/stream-proxy/source/source.ts';
import { opened } from '../reader/simulated.ts';

const SIZE = 1_000_000;
const LATE = 2_500;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server whose answers a test gives one by one. */
function scene() {
  const asked: { readonly wish: RangeRequest; readonly answer: Deferred<OpenedRange> }[] = [];
  const source: ByteSource = {
    host: 'nas:8080',
    label: 'The file server (nas:8080)',
    validators: undefined,
    open: (wish) => {
      const answer: Deferred<OpenedRange> = deferred();
      wish.signal.addEventListener('abort', () => {
        answer.reject(wish.signal.reason as Error);
      });
      asked.push({ wish, answer });
      return answer.promise;
    },
  };
  let seconds = 0;
  const leaving = new AbortController();
  const opening = openHedged(
    source,
    { first: 5, size: SIZE, timeout: 8_000, signal: leaving.signal },
    { after: LATE, onHedge: () => seconds++ },
  );
  opening.catch(() => undefined);
  const give = (index: number) => {
    const range = opened({ first: 5, timeout: 0, signal: leaving.signal }, SIZE);
    asked[index]!.answer.resolve(range);
    return range;
  };
  const fail = (index: number, kind: 'unreachable' | 'missing') => {
    asked[index]!.answer.reject(new SourceFailure(kind, `the answer ${index}`));
  };
  return { asked, opening, leaving, give, fail, seconds: () => seconds };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('asks once where the head comes in time', async () => {
  const s = scene();
  await pass(LATE - 1);
  const range = s.give(0);
  expect(await s.opening).toBe(range);
  await pass(10_000);
  expect([s.asked.length, s.seconds()]).toEqual([1, 0]);
});

describe('a late head', () => {
  it('is waited for beside a second request, and kept when it comes first', async () => {
    const s = scene();
    await pass(LATE);
    expect([s.asked.length, s.seconds()]).toEqual([2, 1]);
    expect(s.asked[0]!.wish.signal.aborted).toBe(false);
    const range = s.give(0);
    expect(await s.opening).toBe(range);
    expect(s.asked[1]!.wish.signal.aborted).toBe(true);
  });

  it('is given up for the second one when that comes first, with its connection', async () => {
    const s = scene();
    await pass(LATE);
    const range = s.give(1);
    expect(await s.opening).toBe(range);
    expect(s.asked[0]!.wish.signal.aborted).toBe(true);
  });

  it('that comes together with the other one is closed', async () => {
    const s = scene();
    await pass(LATE);
    const ranges = [s.give(0), s.give(1)];
    expect(await s.opening).toBe(ranges[0]);
    await pass(1);
    expect(ranges.map(({ body }) => body.closed)).toEqual([false, true]);
  });

  it('whose connection breaks leaves the second one to be waited for', async () => {
    const s = scene();
    await pass(LATE);
    s.fail(0, 'unreachable');
    await pass(1_000);
    const range = s.give(1);
    expect(await s.opening).toBe(range);
  });

  it('fails as the first one does when both fail', async () => {
    const s = scene();
    await pass(LATE);
    s.fail(1, 'unreachable');
    s.fail(0, 'missing');
    await expect(s.opening).rejects.toMatchObject({ kind: 'missing' });
  });

  it('leaves the second one no more time than is left', async () => {
    const s = scene();
    await pass(LATE);
    expect(s.asked.map(({ wish }) => wish.timeout)).toEqual([8_000, 8_000 - LATE]);
  });
});

it('a failure before the head is late is told at once', async () => {
  const s = scene();
  s.fail(0, 'unreachable');
  await expect(s.opening).rejects.toMatchObject({ kind: 'unreachable' });
  await pass(10_000);
  expect(s.asked.length).toBe(1);
});

it.each([0, LATE])('ends with the signal, after %i ms', async (ms) => {
  const s = scene();
  await pass(ms);
  s.leaving.abort(new Error('the end'));
  await expect(s.opening).rejects.toThrow('the end');
});
