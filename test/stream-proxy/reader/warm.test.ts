import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deferred } from '../../../src/io/deferred.ts';
import { AHEAD_POLICY } from '../../../src/stream-proxy/policy/ahead.ts';
import { SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { READ_POLICY } from '../../../src/stream-proxy/policy/policy.ts';
import { BLOCK } from '../../../src/stream-proxy/reader/block-pool.ts';
import { readRange } from '../../../src/stream-proxy/reader/reader.ts';
import { warm } from '../../../src/stream-proxy/reader/warm.ts';
import { SimulatedPlayer, SimulatedUpstream, simulatedFetcher } from './simulated.ts';

const SIZE = 100 * BLOCK;
const { warmHead, warmIndex } = AHEAD_POLICY;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms = 10) => vi.advanceTimersByTimeAsync(ms);

function scene(size = SIZE) {
  const upstream = new SimulatedUpstream(size);
  const { fetcher, journal } = simulatedFetcher({ source: upstream, size });
  const leaving = new AbortController();
  const start = () => {
    const { signal } = leaving;
    return warm({
      read: readRange,
      fetcher,
      journal,
      policy: READ_POLICY,
      ahead: AHEAD_POLICY,
      size,
      signal,
    });
  };
  const request = (first: number) =>
    new SimulatedPlayer({ fetcher, journal, range: { first, last: size - 1 } });
  return { upstream, fetcher, leaving, start, request };
}

it('fetches the start and the index, one after the other, and leaves no connection', async () => {
  const { upstream, fetcher, start } = scene();
  const warming = start();
  await pass();
  await warming;
  expect(upstream.bodies.map(({ first, position }) => [first, position])).toEqual([
    [0, warmHead],
    [SIZE - warmIndex, SIZE],
  ]);
  expect([upstream.most, upstream.inUse.length]).toEqual([1, 0]);
  expect([fetcher.cache.gapAfter(0), fetcher.cache.gapAfter(SIZE - warmIndex)]).toEqual([warmHead, SIZE]);
});

it.each([1, warmHead - 1, warmHead, warmHead + 1, warmHead + warmIndex + 1])(
  'asks for each byte of a small file of %i bytes once at most',
  async (size) => {
    const { upstream, fetcher, start } = scene(size);
    const warming = start();
    await pass();
    await warming;
    const asked = upstream.bodies.reduce((sum, { first, position }) => sum + position - first, 0);
    expect(asked).toBe(Math.min(size, warmHead + warmIndex));
    expect(fetcher.cache.has(size - 1)).toBe(true);
  },
);

it('fails as reading does, and as the signal says', async () => {
  const { upstream, leaving, start } = scene();
  upstream.meanwhile = () => Promise.reject(new SourceFailure('refused', 'simulated'));
  await expect(start()).rejects.toMatchObject({ kind: 'refused' });
  upstream.meanwhile = () => deferred<undefined>().promise;
  const warming = start();
  leaving.abort(new Error('the end'));
  await expect(warming).rejects.toThrow('the end');
  expect(upstream.inUse).toEqual([]);
});

it('never keeps a player waiting that comes meanwhile', async () => {
  const { upstream, start, request } = scene();
  upstream.speed = BLOCK;
  const index = deferred<undefined>();
  upstream.meanwhile = ({ first }) => (first > SIZE / 2 ? index.promise : undefined);
  const warming = start();
  await pass();
  const player = request(0).read(10 * BLOCK);
  await pass();
  // What is under way now is the look into the index, and it takes its time.
  for (let i = 0; i < 10; i++) {
    for (const body of upstream.inUse) body.deliver(BLOCK);
    await pass();
  }
  expect(player.check).toMatchObject({ count: 10 * BLOCK, wrongAt: undefined });
  expect(player.longest).toBeLessThan(100);
  upstream.speed = Infinity;
  index.resolve(undefined);
  await pass();
  await warming;
});
