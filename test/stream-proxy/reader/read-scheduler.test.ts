import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pause } from '../../../src/io/wait.ts';
import { BUFFER_POLICY, readAheadBytes } from '../../../src/stream-proxy/policy/buffer.ts';
import { SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { BLOCK_SIZE } from '../../../src/stream-proxy/reader/block-pool.ts';
import { SimulatedPlayer, SimulatedUpstream, simulatedFetcher } from './simulated.ts';

// Who is fed, and what is kept, in simulated time.

const SIZE = 300 * BLOCK_SIZE;
const MB = 1_000_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms = 100) => vi.advanceTimersByTimeAsync(ms);

function scene() {
  const upstream = new SimulatedUpstream(SIZE);
  const { fetcher, journal } = simulatedFetcher({ source: upstream, size: SIZE });
  const request = (first: number) =>
    new SimulatedPlayer({ fetcher, journal, range: { first, last: SIZE - 1 } });
  return { upstream, fetcher, journal, request };
}

/** Takes so many bytes a second for so many seconds, from what it has read on. */
async function takes(player: SimulatedPlayer, seconds: number, rate = MB): Promise<void> {
  const from = player.check.count;
  for (let second = 1; second <= seconds; second++) {
    player.read(from + second * rate);
    await pass(1_000);
  }
}

describe('behind a player that takes no more than it plays', () => {
  it('three quarters of the buffer are kept, so that a small seek back asks for nothing', async () => {
    const { upstream, fetcher, request } = scene();
    const player = request(0);
    await takes(player, 60);
    const back = request(player.check.count - 24 * MB).read(2 * MB);
    player.bytes.idle = true;
    await pass();
    expect(back.check.wrongAt).toBeUndefined();
    expect(back.check.count).toBeGreaterThanOrEqual(2 * MB);
    expect(back.longest).toBe(0);
    expect(upstream.bodies.length).toBe(1);
    expect(fetcher.cache.used).toBeLessThanOrEqual(BUFFER_POLICY.sessionMemory);
  });

  it('less is read ahead instead, and all of it again once it has to wait', async () => {
    const { upstream, fetcher, request } = scene();
    const player = request(0);
    await takes(player, 60);
    const front = () => upstream.bodies.at(-1)!.position - player.check.count;
    expect(front()).toBeLessThanOrEqual(8 * BLOCK_SIZE);
    upstream.speed = 0;
    upstream.bodies.at(-1)!.end(new SourceFailure('broken', 'simulated'));
    player.read(player.check.count + 20 * BLOCK_SIZE);
    await pass(1_000);
    upstream.bodies.at(-1)!.deliver(Infinity);
    player.read(player.check.count + 1);
    await pass(1_000);
    expect(fetcher.bufferedAhead).toBeGreaterThan(readAheadBytes(BUFFER_POLICY) - 3 * BLOCK_SIZE);
  });

  it('it is kept while a seek goes by the index, though the player takes all that comes until then', async () => {
    const { upstream, request } = scene();
    const player = request(0);
    await takes(player, 60);
    const here = player.check.count;
    const tail = request(SIZE - 100_000).read(100_000);
    await pass();
    tail.leave();
    player.read(here + 12 * MB);
    await pass(1_000);
    expect(player.check.count).toBeGreaterThanOrEqual(here + 12 * MB);
    const asked = upstream.bodies.length;
    const back = request(here - 24 * MB).read(2 * MB);
    player.bytes.idle = true;
    await pass();
    expect(back.check.count).toBeGreaterThanOrEqual(2 * MB);
    expect(back.longest).toBe(0);
    expect(upstream.bodies.length).toBe(asked);
  });

  it('counts from where the player is again when no seek has followed', async () => {
    const { upstream, request } = scene();
    const player = request(0);
    await takes(player, 60);
    request(SIZE - 100_000)
      .read(1)
      .leave();
    await takes(player, 30, MB / 2);
    const asked = upstream.bodies.length;
    const back = request(player.check.count - 24 * MB).read(2 * MB);
    player.bytes.idle = true;
    await pass();
    expect(back.longest).toBe(0);
    expect(upstream.bodies.length).toBe(asked);
  });

  it('little is kept while it takes all that comes', async () => {
    const { upstream, request } = scene();
    const player = request(0).read(60 * BLOCK_SIZE);
    await pass();
    const here = player.check.count;
    player.leave();
    const asked = upstream.bodies.length;
    request(here - 24 * BLOCK_SIZE).read(BLOCK_SIZE);
    await pass();
    expect(upstream.bodies.length).toBeGreaterThan(asked);
  });
});

describe('while another film is opened', () => {
  it('only some seconds of its own rate are read ahead', async () => {
    const { upstream, fetcher, request } = scene();
    const player = request(0);
    const rate = 100_000;
    await takes(player, 8, rate);
    const front = () => upstream.bodies.at(-1)!.position - player.check.count;
    const before = upstream.bodies.at(-1)!.position;
    fetcher.throttle(true);
    await takes(player, 200, rate);
    expect(upstream.bodies.at(-1)!.position).toBe(before);
    await takes(player, 150, rate);
    expect(front()).toBeLessThanOrEqual(BUFFER_POLICY.throttledSeconds * rate + 1.2 * BLOCK_SIZE);
    expect(player.longest).toBe(0);
    fetcher.throttle(false);
    await takes(player, 2, rate);
    expect(front()).toBeGreaterThan(2.5 * BLOCK_SIZE);
  });
});

describe('a look into the index that brings nothing', () => {
  it('holds up the player for a second, and is not fed beside it then', async () => {
    const { upstream, request } = scene();
    upstream.speed = 2 * BLOCK_SIZE;
    const player = request(0).read(20 * BLOCK_SIZE);
    await pass();
    upstream.speed = 0;
    request(SIZE - 100_000).read(1);
    await pass(100);
    const [film] = upstream.bodies;
    film!.deliver(BLOCK_SIZE);
    await pass(100);
    expect(player.check.count).toBe(2 * BLOCK_SIZE);
    await pass(BUFFER_POLICY.maxYield);
    await pass(BUFFER_POLICY.maxYield + 1_000);
    expect(player.check.count).toBe(3 * BLOCK_SIZE);
    // The player has nothing ahead: the look has no connection of its own.
    expect(upstream.inUse).toEqual([film]);
  });
});

describe('a look into the index whose head takes long', () => {
  it('is asked for once: the film goes on, and the head is taken when it comes', async () => {
    const { upstream, request } = scene();
    upstream.speed = 2 * BLOCK_SIZE;
    const player = request(0).read(20 * BLOCK_SIZE);
    await pass();
    const asked: number[] = [];
    upstream.meanwhile = ({ first, signal }) => {
      asked.push(first);
      return pause(2_200, signal);
    };
    const tail = request(SIZE - 100_000).read(100_000);
    upstream.bodies[0]!.deliver(BLOCK_SIZE);
    await pass(BUFFER_POLICY.maxYield + 1_100);
    // The film is fed beside it.
    expect(player.check.count).toBe(3 * BLOCK_SIZE);
    await pass(1_000);
    expect(asked.filter((first) => first >= SIZE - 100_000)).toEqual([SIZE - 100_000]);
    expect(tail.check).toMatchObject({ count: 100_000, wrongAt: undefined });
  });
});

describe('a look into the index whose answers fail', () => {
  it('holds up the film for a moment only, though each answer begins', async () => {
    const { upstream, request } = scene();
    upstream.speed = 2 * BLOCK_SIZE;
    const player = request(0).read(60 * BLOCK_SIZE);
    await pass();
    const open = upstream.open.bind(upstream);
    upstream.open = async (wish) => {
      upstream.speed = 0;
      const opened = await open(wish);
      upstream.bodies.at(-1)!.end(new SourceFailure('broken', 'simulated'));
      return opened;
    };
    request(SIZE - 100_000).read(100_000);
    for (let tenth = 0; tenth < 100; tenth++) {
      upstream.bodies[0]!.deliver(BLOCK_SIZE / 8);
      await pass();
    }
    expect(player.failure).toBeUndefined();
    expect(player.longest).toBeLessThan(2 * BUFFER_POLICY.maxYield);
  });

  it('outlasts trouble that passes, as when the server restarts', async () => {
    const { upstream, request } = scene();
    upstream.speed = 2 * BLOCK_SIZE;
    request(0).read(60 * BLOCK_SIZE);
    await pass();
    const began = performance.now();
    upstream.meanwhile = ({ first }) =>
      first > SIZE / 2 && performance.now() - began < 3_000
        ? Promise.reject(new SourceFailure('unavailable', 'simulated'))
        : undefined;
    const tail = request(SIZE - 100_000).read(100_000);
    for (let tenth = 0; tenth < 100; tenth++) {
      upstream.bodies[0]!.deliver(BLOCK_SIZE / 8);
      await pass();
    }
    expect(tail.failure).toBeUndefined();
    expect(tail.check).toMatchObject({ count: 100_000, wrongAt: undefined });
  });
});

it('the buffer is full with what is read ahead, not with all that a short request asked for', async () => {
  const { fetcher, journal, request } = scene();
  const short = new SimulatedPlayer({ fetcher, journal, range: { first: 0, last: 4 * BLOCK_SIZE } }).read(
    BLOCK_SIZE,
  );
  await pass();
  expect(fetcher.isBufferFull).toBe(false);
  short.leave();
  request(0).read(BLOCK_SIZE);
  await pass();
  expect(fetcher.isBufferFull).toBe(true);
});

interface After {
  /** Blocks that the player has taken after its pause when the connection ends. */
  readonly taken?: number;
  readonly meanwhile?: SimulatedUpstream['meanwhile'];
}

describe('a connection that the server closes while the player is paused', () => {
  async function paused(ms: number, { taken = 20, meanwhile }: After = {}) {
    const s = scene();
    s.upstream.speed = 30 * BLOCK_SIZE;
    const player = s.request(0).read(BLOCK_SIZE);
    await pass();
    player.bytes.idle = true;
    await pass(ms);
    player.bytes.idle = false;
    player.read(taken * BLOCK_SIZE);
    await pass();
    s.upstream.speed = Infinity;
    s.upstream.meanwhile = meanwhile;
    s.upstream.bodies[0]!.end(new SourceFailure('broken', 'simulated'));
    player.read(60 * BLOCK_SIZE);
    await pass(1_000);
    return { ...s, player };
  }

  it('is no failure: the film is asked for at the next byte, at once', async () => {
    const { journal, player } = await paused(60_000);
    expect(player.check).toMatchObject({ count: 60 * BLOCK_SIZE, wrongAt: undefined });
    expect(journal.counters.retries).toBe(0);
  });

  it('excuses that end alone: what fails after it is tried again as ever', async () => {
    let asked = 0;
    const meanwhile: After['meanwhile'] = ({ signal }) => {
      asked++;
      // A defect asks without end.
      if (asked > 100) return pause(60_000, signal);
      return Promise.reject(new SourceFailure('broken', 'simulated'));
    };
    const { journal } = await paused(60_000, { taken: 27, meanwhile });
    expect(asked).toBeLessThan(10);
    expect(journal.counters.retries).toBeGreaterThan(0);
  });

  it('counts as one when it was held up for a moment only', async () => {
    const { journal, player } = await paused(1_000);
    expect(player.check).toMatchObject({ count: 60 * BLOCK_SIZE, wrongAt: undefined });
    expect(journal.counters.retries).toBe(1);
  });
});
