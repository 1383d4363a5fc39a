import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BUFFER_POLICY, readAheadBytes } from '../../../src/stream-proxy/policy/buffer.ts';
import { BLOCK_SIZE } from '../../../src/stream-proxy/reader/block-pool.ts';
import type { OpenedRange } from '../../../src/stream-proxy/source/source.ts';
import { SimulatedPlayer, SimulatedUpstream, simulatedFetcher } from './simulated.ts';

// The one request of a play: what has proven the file goes on as the stream. In simulated time.

const SIZE = 100 * BLOCK_SIZE;
const HEAD = 64 * 1024;
const WINDOWS = {
  look: 'cheap',
  windows: true,
  zeroFills: true,
  complete: true,
} as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms = 10) => vi.advanceTimersByTimeAsync(ms);

/** A film whose first bytes have been read by an answer that stands still behind them. */
async function scene(upstream = new SimulatedUpstream(SIZE), last = SIZE - 1) {
  const { fetcher, journal } = simulatedFetcher({ source: upstream, size: SIZE });
  const signal = new AbortController().signal;
  const opened = await upstream.open({ first: 0, last, timeout: 1000, signal });
  const head = Buffer.alloc(HEAD);
  let have = 0;
  opened.body.flow({
    room: () => (have < HEAD ? head.subarray(have) : undefined),
    filled: (bytes) => {
      have += bytes;
    },
    end: () => undefined,
  });
  fetcher.cache.put(0, head);
  const given: OpenedRange = { ...opened, range: { first: HEAD, last } };
  const request = (first: number) =>
    new SimulatedPlayer({ fetcher, journal, range: { first, last: SIZE - 1 } });
  return { upstream, fetcher, given, request };
}

describe('the answer that has proven the file', () => {
  it('goes on ahead of the player that is expected, up to a full buffer', async () => {
    const { upstream, fetcher, given } = await scene();
    fetcher.startPrefetch(given);
    await pass(100);
    expect(fetcher.cache.firstMissing(0)).toBeGreaterThanOrEqual(readAheadBytes(BUFFER_POLICY) - BLOCK_SIZE);
    expect([upstream.bodies.length, upstream.inUse.length]).toEqual([1, 1]);
  });

  it('is the only request of a film that is played from its start', async () => {
    const { upstream, fetcher, given, request } = await scene();
    fetcher.startPrefetch(given);
    await pass(100);
    const player = request(0).read(SIZE);
    await pass(1_000);
    expect(player.check).toMatchObject({ count: SIZE, wrongAt: undefined });
    expect(upstream.bodies.length).toBe(1);
  });

  it('ends with its connection when no player comes', async () => {
    const { upstream, fetcher, given } = await scene();
    fetcher.startPrefetch(given);
    await pass();
    fetcher.cancelPrefetch();
    expect([upstream.inUse.length, fetcher.activeTransfers]).toEqual([0, 0]);
  });

  it('gives way to a player that begins elsewhere', async () => {
    const { upstream, fetcher, given, request } = await scene();
    fetcher.startPrefetch(given);
    await pass();
    const player = request(40 * BLOCK_SIZE).read(BLOCK_SIZE);
    await pass(100);
    expect(player.check).toMatchObject({ count: BLOCK_SIZE, wrongAt: undefined });
    expect(upstream.inUse.map(({ first }) => first)).toEqual([40 * BLOCK_SIZE]);
  });
});

describe('where a range ends what the server fetches', () => {
  const MIB = 1024 * 1024;

  async function windows() {
    const upstream = Object.assign(new SimulatedUpstream(SIZE), { serving: WINDOWS });
    return await scene(upstream, MIB - 1);
  }

  it('the film is read in windows, each as long as all before it, up to 8 MiB', async () => {
    const { upstream, fetcher, given, request } = await windows();
    fetcher.startPrefetch(given);
    const player = request(0).read(SIZE);
    await pass(1_000);
    expect(player.check).toMatchObject({ count: SIZE, wrongAt: undefined });
    const lengths = upstream.bodies.map(({ first, position }) => position - first);
    expect(lengths.slice(0, 3)).toEqual([MIB, MIB, 2 * MIB - HEAD]);
    expect(Math.max(...lengths)).toBe(8 * MIB);
    expect(upstream.bodies.at(-1)?.position).toBe(SIZE);
  });

  it('the next window is asked for before the one under way ends, and none besides', async () => {
    const upstream = Object.assign(new SimulatedUpstream(SIZE), { serving: WINDOWS, speed: HEAD });
    const { fetcher, given, request } = await scene(upstream, MIB - 1);
    upstream.speed = 0;
    fetcher.startPrefetch(given);
    request(0).read(SIZE);
    await pass();
    expect(upstream.bodies.length).toBe(1);
    upstream.bodies[0]?.deliver(MIB - HEAD - 256 * 1024);
    await pass();
    expect(upstream.bodies.length).toBe(1);
    upstream.bodies[0]?.deliver(1);
    await pass();
    expect(upstream.bodies.map(({ first }) => first)).toEqual([0, MIB]);
    await pass(1_000);
    expect(upstream.bodies.length).toBe(2);
  });
});
