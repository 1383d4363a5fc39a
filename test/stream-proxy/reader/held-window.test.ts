import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { decideRetry, READ_POLICY } from '../../../src/stream-proxy/policy/policies.ts';
import { AnswerTimes } from '../../../src/stream-proxy/reader/answer-times.ts';
import { Transfer } from '../../../src/stream-proxy/reader/transfer.ts';
import { SimulatedUpstream, simulatedFetcher } from './simulated.ts';

// A window that was asked for ahead, and that the server closes while the player is paused. In simulated time.

const MIB = 1024 * 1024;
const SIZE = 20 * MIB;
const WINDOWS = { look: 'cheap', windows: true, zeroFills: true, complete: true } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms = 10) => vi.advanceTimersByTimeAsync(ms);

/** A lane stands still near the end of its first window for so long; gives the retries that it took to go on. */
async function retriesAfter(ms: number) {
  const upstream = Object.assign(new SimulatedUpstream(SIZE), { serving: WINDOWS, speed: 0 });
  const { fetcher, journal } = simulatedFetcher({ source: upstream, size: SIZE });
  let gate = MIB - 100_000;
  const owner = {
    canFetch: (position: number) => position < gate,
    waitFor: () => undefined,
    retrying: () => undefined,
    trustedUntil: (position: number) => position,
    responseStarted: () => undefined,
    filled: () => undefined,
  };
  const { cache } = fetcher;
  const task = {
    source: upstream,
    size: SIZE,
    cache,
    policy: READ_POLICY,
    decide: decideRetry,
    journal,
    owner,
  };
  const times = { answers: new AnswerTimes(), silences: new AnswerTimes() };
  const lane = new Transfer({ ...task, ...times }, 0, SIZE);
  const running = lane.run();
  await pass();
  upstream.bodies[0]!.deliver(gate);
  await pass();
  upstream.bodies[0]!.deliver(MIB - gate);
  expect(upstream.bodies.map(({ first }) => first)).toEqual([0, MIB]);
  await pass(ms);
  upstream.bodies[1]!.end(new SourceFailure('broken', 'simulated'));
  gate = SIZE;
  lane.resume();
  await pass(1_000);
  expect(upstream.bodies.map(({ first }) => first)).toEqual([0, MIB, MIB]);
  lane.close();
  await running;
  return journal.counters.retries;
}

it('is no failure after a pause, and no retry', async () => {
  expect(await retriesAfter(60_000)).toBe(0);
});

it('counts as one when it was held up for a moment only', async () => {
  expect(await retriesAfter(1_000)).toBe(1);
});
