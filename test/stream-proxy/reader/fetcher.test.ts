import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pause } from '../../../src/io/wait.ts';
import { BUFFER_POLICY, readAheadBytes } from '../../../src/stream-proxy/policy/buffer.ts';
import { SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { POLICIES } from '../../../src/stream-proxy/policy/policies.ts';
import { BLOCK_SIZE, BlockPool } from '../../../src/stream-proxy/reader/block-pool.ts';
import { SimulatedPlayer, SimulatedUpstream, simulatedFetcher } from './simulated.ts';

// The real policies in simulated time: how many connections there are, and what is asked for.

const SIZE = 100 * BLOCK_SIZE + 12_345;
const AHEAD = readAheadBytes(BUFFER_POLICY);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Time for a whole film: a fast upstream is taken in turns. */
const pass = (ms = 100) => vi.advanceTimersByTimeAsync(ms);

function scene(size = SIZE, policies = POLICIES) {
  const upstream = new SimulatedUpstream(size);
  const { fetcher, journal } = simulatedFetcher({ source: upstream, size, policies });
  const request = (first: number, last = size - 1) =>
    new SimulatedPlayer({ fetcher, journal, range: { first, last } });
  return { upstream, fetcher, journal, request };
}

/** From where the connections that are in use read. */
const places = ({ inUse }: SimulatedUpstream) => inUse.map(({ first }) => first / BLOCK_SIZE);

describe('one player', () => {
  it('is served over one connection, with one request', async () => {
    const { upstream, request } = scene();
    const player = request(0).read(SIZE);
    await pass();
    expect(player.check).toMatchObject({ count: SIZE, wrongAt: undefined });
    expect([upstream.bodies.length, upstream.most, upstream.inUse]).toEqual([1, 1, []]);
  });

  it('that takes nothing stops the upstream when the buffer is full, and keeps its connection', async () => {
    const { upstream, fetcher, request } = scene();
    const player = request(0).read(1);
    await pass();
    const [body] = upstream.bodies;
    expect(body?.position).toBeGreaterThanOrEqual(AHEAD);
    expect(body?.position).toBeLessThanOrEqual(AHEAD + 2 * BLOCK_SIZE);
    expect(fetcher.cache.used).toBeLessThanOrEqual(BUFFER_POLICY.sessionMemory);
    player.bytes.idle = true;
    await pass(3_600_000);
    expect([upstream.bodies.length, body?.isOpen]).toEqual([1, true]);
    player.read(SIZE);
    await pass();
    expect(player.check).toMatchObject({ count: SIZE, wrongAt: undefined });
    expect(upstream.bodies.length).toBe(1);
  });

  it('that leaves frees its connection at once', () => {
    const { upstream, fetcher, request } = scene();
    return (async () => {
      const player = request(0).read(1);
      await pass();
      expect(upstream.inUse.length).toBe(1);
      player.leave();
      expect([upstream.inUse.length, fetcher.activeTransfers]).toEqual([0, 0]);
    })();
  });

  it('asks for no more than it was asked for', async () => {
    const { upstream, request } = scene();
    request(BLOCK_SIZE, 2 * BLOCK_SIZE - 1).read(1);
    await pass();
    expect(upstream.bodies.map(({ first, position }) => [first, position])).toEqual([
      [BLOCK_SIZE, 2 * BLOCK_SIZE],
    ]);
  });
});

describe('a seek', () => {
  it('of Kodi, by a second request: the connection of the first one is closed', async () => {
    const { upstream, request } = scene();
    const before = request(0).read(5 * BLOCK_SIZE);
    await pass();
    const after = request(60 * BLOCK_SIZE).read(BLOCK_SIZE);
    before.bytes.idle = true;
    await pass();
    expect(places(upstream)).toEqual([60]);
    expect(after.check).toMatchObject({ count: BLOCK_SIZE, wrongAt: undefined });
    // The old one is read on, as when the seek was given up.
    after.leave();
    before.read(SIZE);
    await pass();
    expect(before.check).toMatchObject({ count: SIZE, wrongAt: undefined });
  });

  it('also where the upstream was no faster than the player', async () => {
    const { upstream, request } = scene();
    upstream.speed = 5 * BLOCK_SIZE;
    const before = request(0).read(5 * BLOCK_SIZE);
    await pass();
    expect(places(upstream)).toEqual([0]);
    const after = request(60 * BLOCK_SIZE).read(BLOCK_SIZE);
    before.bytes.idle = true;
    await pass();
    expect(places(upstream)).toEqual([60]);
    expect(after.check).toMatchObject({ count: BLOCK_SIZE, wrongAt: undefined });
  });

  it.each([-BLOCK_SIZE, -BLOCK_SIZE / 2 - 17, BLOCK_SIZE + 17, 15 * BLOCK_SIZE])(
    'of %i bytes is served from memory: nothing is asked for twice',
    async (distance) => {
      const { upstream, request } = scene();
      const before = request(0).read(40 * BLOCK_SIZE);
      await pass();
      const [from, until] = [before.check.count, upstream.bodies[0]?.position];
      before.leave();
      const after = request(from + distance).read(1);
      await pass();
      expect(after.check).toMatchObject({ wrongAt: undefined });
      expect(after.check.count).toBeGreaterThan(0);
      expect(after.longest).toBe(0);
      for (const { first } of upstream.bodies.slice(1))
        expect(first).toBeGreaterThanOrEqual(until ?? Infinity);
    },
  );
});

describe('a look into the index', () => {
  it('beside the player has a connection of its own, and the player keeps its own', async () => {
    const { upstream, request } = scene();
    const player = request(0).read(BLOCK_SIZE);
    await pass();
    const [head] = upstream.bodies;
    const tail = request(SIZE - 100_000).read(100_000);
    await pass();
    expect(tail.check).toMatchObject({ count: 100_000, wrongAt: undefined });
    expect(upstream.most).toBe(2);
    expect(upstream.inUse).toEqual([head]);
    player.read(SIZE);
    await pass();
    expect(player.check).toMatchObject({ count: SIZE, wrongAt: undefined });
    // The index was in memory already.
    expect(upstream.bodies.length).toBeLessThanOrEqual(3);
  });

  it('that hangs does not starve the player', async () => {
    const { upstream, request } = scene();
    upstream.speed = 5 * BLOCK_SIZE;
    const player = request(0).read(10 * BLOCK_SIZE);
    await pass();
    upstream.meanwhile = (wish) =>
      wish.first > SIZE / 2
        ? pause(wish.timeout, wish.signal).then(() => {
            throw new SourceFailure('stalled', 'simulated');
          })
        : undefined;
    request(SIZE - 100_000).read(100_000);
    await pass();
    upstream.bodies[0]?.deliver(5 * BLOCK_SIZE);
    await pass(2_000);
    expect(player.check).toMatchObject({ count: 10 * BLOCK_SIZE, wrongAt: undefined });
  });
});

describe('an older request', () => {
  it('yields to a newer one that waits, however long, and goes on when that one has enough', async () => {
    const { upstream, request } = scene();
    upstream.speed = 5 * BLOCK_SIZE;
    const older = request(0).read(10 * BLOCK_SIZE);
    await pass();
    upstream.speed = 0;
    request(60 * BLOCK_SIZE).read(BLOCK_SIZE);
    await pass(3 * BUFFER_POLICY.maxYield);
    // Twice when the first body has been silent for so long.
    expect(new Set(places(upstream))).toEqual(new Set([60]));
    expect(older.check.count).toBe(5 * BLOCK_SIZE);
    upstream.speed = Infinity;
    for (const body of upstream.inUse) body.deliver(Infinity);
    await pass(2 * BUFFER_POLICY.maxYield);
    expect(older.check).toMatchObject({ count: 10 * BLOCK_SIZE, wrongAt: undefined });
  });

  it('is not fed beside a newer one that has hardly anything', async () => {
    const { upstream, request } = scene();
    upstream.speed = 5 * BLOCK_SIZE;
    const older = request(0).read(10 * BLOCK_SIZE);
    await pass();
    upstream.speed = BLOCK_SIZE / 4;
    request(60 * BLOCK_SIZE).read(BLOCK_SIZE / 8);
    await pass(3 * BUFFER_POLICY.maxYield);
    expect(upstream.bodies.filter(({ first }) => first < 60 * BLOCK_SIZE)).toHaveLength(1);
    expect(older.check.count).toBe(5 * BLOCK_SIZE);
  });
});

describe('a hole', () => {
  it('that cannot be decided in time is no reason to keep the player waiting', async () => {
    const upstream = new SimulatedUpstream(SIZE);
    upstream.meanwhile = ({ first }) =>
      first >= BLOCK_SIZE && first < BLOCK_SIZE + 500_000
        ? Promise.reject(new SourceFailure('missing', 'simulated'))
        : undefined;
    const planFill = () => new Promise<never>(() => undefined);
    const { fetcher, journal } = simulatedFetcher({ source: upstream, size: SIZE, planFill });
    const range = { first: BLOCK_SIZE, last: SIZE - 1 };
    const player = new SimulatedPlayer({ fetcher, journal, range }).read(SIZE);
    await pass(POLICIES.read.firstByteTimeout + 1_000);
    expect(player.failure).toMatchObject({ kind: 'stalled' });
    fetcher.close();
  });

  it('of which no look is answered is none either', async () => {
    const upstream = new SimulatedUpstream(SIZE);
    let asked = 0;
    upstream.meanwhile = () =>
      ++asked <= POLICIES.read.maxMissingTries
        ? Promise.reject(new SourceFailure('missing', 'simulated'))
        : new Promise(() => undefined);
    const { fetcher, journal } = simulatedFetcher({ source: upstream, size: SIZE });
    const range = { first: BLOCK_SIZE, last: SIZE - 1 };
    const player = new SimulatedPlayer({ fetcher, journal, range }).read(SIZE);
    await pass(POLICIES.read.firstByteTimeout + 1_000);
    expect(player.failure).toMatchObject({ kind: 'stalled' });
    expect(asked).toBeGreaterThan(POLICIES.read.maxMissingTries);
    fetcher.close();
  });
});

describe('a read ahead that fails', () => {
  it('is tried again after a rest, not all the time, and harms nobody', async () => {
    const { upstream, request, journal } = scene();
    upstream.speed = 10 * BLOCK_SIZE;
    const player = request(0).read(BLOCK_SIZE);
    await pass();
    upstream.meanwhile = () => Promise.reject(new SourceFailure('unavailable', 'simulated'));
    upstream.bodies[0]?.end(new SourceFailure('broken', 'simulated'));
    await pass(60_000);
    const rounds = Math.log2(60_000 / BUFFER_POLICY.cooldown);
    expect(journal.counters.opens).toBeGreaterThan(POLICIES.read.maxTries);
    expect(journal.counters.opens).toBeLessThanOrEqual(POLICIES.read.maxTries * (rounds + 2));
    upstream.meanwhile = undefined;
    upstream.speed = Infinity;
    player.read(SIZE);
    await pass(2 * BUFFER_POLICY.cooldown);
    expect(player.check).toMatchObject({ count: SIZE, wrongAt: undefined });
    expect(player.failure).toBeUndefined();
  });
});

it('a film that is paused all night before bytes that do not come asks for them ever more rarely', async () => {
  const { upstream, request, journal } = scene();
  upstream.speed = 10 * BLOCK_SIZE;
  const player = request(0).read(BLOCK_SIZE);
  await pass();
  upstream.meanwhile = () => Promise.reject(new SourceFailure('missing', 'simulated'));
  upstream.bodies[0]?.end(new SourceFailure('broken', 'simulated'));
  player.bytes.idle = true;
  const hours = 8;
  await pass(hours * 3_600_000);
  const rounds = Math.log2(BUFFER_POLICY.maxCooldown / BUFFER_POLICY.cooldown);
  const later = (hours * 3_600_000) / BUFFER_POLICY.maxCooldown;
  expect(journal.counters.opens).toBeLessThanOrEqual(POLICIES.read.maxTries * (rounds + later + 2));
  upstream.meanwhile = undefined;
  upstream.speed = Infinity;
  player.bytes.idle = false;
  player.read(SIZE);
  await pass(1_000);
  expect(player.check).toMatchObject({ count: SIZE, wrongAt: undefined });
});

describe('connections', () => {
  /** Each connection brings so many bytes per millisecond. */
  function limited(upstream: SimulatedUpstream, each: number, all = Infinity) {
    upstream.speed = 0;
    setInterval(() => {
      const share = Math.min(each, all / Math.max(1, upstream.inUse.length));
      for (const body of upstream.inUse) body.deliver(Math.round(share * 10));
    }, 10);
  }

  it('become more before an upstream that limits each of them, never more than the policy allows', async () => {
    const { upstream, request } = scene();
    limited(upstream, 1_000);
    const player = request(0).read(SIZE);
    await pass(60_000);
    expect(player.check).toMatchObject({ count: SIZE, wrongAt: undefined });
    expect(upstream.most).toBe(POLICIES.concurrency.maxTransfers);
    expect(upstream.inUse).toEqual([]);
  });

  it('stay few before an upstream that shares its speed', async () => {
    const { upstream, request } = scene();
    limited(upstream, 2_000, 2_000);
    const player = request(0).read(SIZE);
    await pass(120_000);
    expect(player.check).toMatchObject({ count: SIZE, wrongAt: undefined });
    expect(upstream.most).toBe(2);
  });

  it('stay one for a player that has enough', async () => {
    const { upstream, request } = scene();
    limited(upstream, 10_000);
    const player = request(0);
    for (let read = 0; read < 20 * BLOCK_SIZE; read += 50_000) {
      player.read(read);
      await pass(100);
    }
    expect(upstream.most).toBe(1);
  });
});

describe('several films', () => {
  it('share the memory, and all are played', async () => {
    const size = 12 * BLOCK_SIZE + 7;
    const pool = new BlockPool(8 * BLOCK_SIZE);
    const films = Array.from({ length: 4 }, () => {
      const upstream = new SimulatedUpstream(size);
      const { fetcher, journal } = simulatedFetcher({ source: upstream, size, pool });
      return new SimulatedPlayer({ fetcher, journal, range: { first: 0, last: size - 1 } });
    });
    for (let read = 1; read <= size + BLOCK_SIZE; read += BLOCK_SIZE / 4) {
      for (const player of films) player.read(read);
      await pass();
      expect(pool.used).toBeLessThanOrEqual(8 * BLOCK_SIZE);
    }
    await pass(1_000);
    for (const player of films) {
      expect(player.check).toMatchObject({ count: size, wrongAt: undefined });
      expect(player.longest).toBeLessThan(1_000);
    }
  });

  it('that end give all their memory back', async () => {
    const pool = new BlockPool(64 * BLOCK_SIZE);
    const upstream = new SimulatedUpstream(SIZE);
    const { fetcher, journal } = simulatedFetcher({ source: upstream, size: SIZE, pool });
    new SimulatedPlayer({ fetcher, journal, range: { first: 0, last: SIZE - 1 } }).read(BLOCK_SIZE);
    await pass();
    expect(pool.used).toBeGreaterThan(0);
    fetcher.close();
    await pass();
    expect([pool.used, upstream.inUse]).toEqual([0, []]);
  });
});
