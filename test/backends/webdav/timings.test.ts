import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SabApi } from '../../../src/backends/sabnzbd/api.ts';
import type { HistorySlot, QueueSlot } from '../../../src/backends/sabnzbd/schema.ts';
import { stageEstimator } from '../../../src/backends/webdav/progress.ts';
import { WEBDAV_TIMINGS } from '../../../src/backends/webdav/timings.ts';
import { waitForJob } from '../../../src/backends/webdav/wait.ts';
import { memoryLog } from '../../support/log.ts';

// Arithmetic on a clock that is turned by hand: no machine is too slow for it.
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const ROUND_TRIP = 20;
/** The looks of the first second are for the jobs that most are; the rate is that of those which last. */
const COUNTED_FROM = 1_000;
const JOB = { id: '1', name: 'Sintel', category: 'movies' };

type Progress = (done: number) => Partial<QueueSlot>;

/** A server on which the job is ready after `duration` milliseconds. */
function serverFor(duration: number, progress: Progress) {
  const start = performance.now();
  const asked: number[] = [];
  const answer = async <T>(make: () => T): Promise<T> => {
    asked.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, ROUND_TRIP));
    return make();
  };
  const isReady = () => performance.now() - start >= duration;
  const slot = { id: '1', name: 'Sintel', category: 'movies', status: 'downloading' };
  const queueSlot = (): QueueSlot => ({
    ...slot,
    percent: undefined,
    truePercent: undefined,
    ...progress((performance.now() - start) / duration),
  });
  const past: HistorySlot = {
    id: '1',
    names: ['Sintel'],
    category: 'movies',
    status: 'completed',
    storage: '/x/Sintel',
    failMessage: '',
    size: undefined,
    completed: undefined,
  };
  const api = {
    name: 'nzbdav',
    showsPercent: true,
    tellsHolds: false,
    queue: () => answer(() => ({ slots: isReady() ? [] : [queueSlot()], paused: false, tellsSpeed: false })),
    historyOf: () => answer(() => (isReady() ? past : undefined)),
  } as unknown as SabApi;
  return { api, asked };
}

/** Waits for one job, whose submission was answered a while ago. */
async function waitFor(duration: number, progress: Progress, ago = 0) {
  const since = performance.now();
  const { api, asked } = serverFor(duration, progress);
  await vi.advanceTimersByTimeAsync(ago);
  const { signal } = new AbortController();
  const options = { signal, timeout: 60_000, onProgress: () => undefined, submittedAt: since };
  const ready = waitForJob(api, JOB, options, { times: WEBDAV_TIMINGS, log: memoryLog() });
  const noticed = ready.then(() => performance.now());
  await vi.advanceTimersByTimeAsync(15_000);
  return { took: (await noticed) - since, asked };
}

/** Jobs that are ready at times spread evenly over ten seconds. */
async function play(progress: Progress) {
  const late: number[] = [];
  let requests = 0;
  let waited = 0;
  for (let duration = 50; duration < 10_000; duration += 100) {
    const { took, asked } = await waitFor(duration, progress);
    late.push(took - duration);
    waited += Math.max(0, took - COUNTED_FROM) / 1000;
    requests += asked.filter((at) => at >= COUNTED_FROM).length;
  }
  const [median = 0] = late.toSorted((a, b) => a - b).slice(late.length / 2);
  return { median, rate: requests / waited };
}

describe('the pace of looks, with 20 ms for an answer', () => {
  it.each([
    ['shows how far it is', (done: number) => ({ truePercent: Math.floor(done * 100) })],
    ['counts to 200, as nzbdav does', (done: number) => ({ truePercent: Math.floor(done * 200) })],
    ['shows nothing', () => ({})],
    ['shows the same for ever', () => ({ percent: 50 })],
    ['rushes to 99 and stays there', (done: number) => ({ percent: Math.min(99, Math.floor(done * 1000)) })],
  ])(
    'is quick enough and asks no more than twice a second once it lasts: a job that %s',
    async (_name, progress) => {
      const { median, rate } = await play(progress);
      expect(rate).toBeLessThanOrEqual(2);
      expect(median).toBeLessThanOrEqual(300);
    },
  );
});

describe('the first looks', () => {
  const nothing = () => ({});

  it('come where most jobs become ready, counted from the answer to the submission', async () => {
    const { asked } = await waitFor(2_000, nothing);
    expect(asked.slice(0, 4)).toEqual([120, 250, 400, 400 + ROUND_TRIP + 530]);
  });
  it('are not late because something was done in between', async () => {
    const { asked } = await waitFor(2_000, nothing, 90);
    expect(asked.slice(0, 3)).toEqual([120, 250, 400]);
  });
  it('are left out where their time is over', async () => {
    const { asked } = await waitFor(2_000, nothing, 300);
    expect(asked.slice(0, 2)).toEqual([400, 400 + ROUND_TRIP + 530]);
  });
  it.each([
    [100, 120],
    [150, 250],
    [390, 400],
  ])('notice a job that is ready after %i ms at %i ms, by one request', async (duration, at) => {
    const { took, asked } = await waitFor(duration, nothing);
    expect(asked.at(-1)).toBe(at === 400 ? 400 + ROUND_TRIP : at);
    expect(took).toBe((asked.at(-1) ?? 0) + ROUND_TRIP);
  });
});

describe('pacer', () => {
  const paced = (...samples: readonly (readonly [at: number, percent: number])[]) => {
    let now = 0;
    const pace = stageEstimator(() => now);
    for (const [at, percent] of samples) {
      now = at;
      pace.observe({ stage: 'downloading', percent });
    }
    return pace.left();
  };

  it('reckons the rest of a stage from its speed', () => {
    expect(paced([0, 0], [1000, 25])).toBe(3000);
    expect(paced([0, 50], [1000, 75])).toBe(1000);
    expect(paced([0, 50], [1000, 75], [1500, 75])).toBe(500);
  });
  it('says nothing before it has moved, after a standstill, and after a step back', () => {
    expect(paced([0, 50])).toBeUndefined();
    expect(paced([0, 50], [1000, 50])).toBeUndefined();
    expect(paced([0, 50], [1000, 60], [4000, 60])).toBeUndefined();
    expect(paced([0, 50], [1000, 10])).toBeUndefined();
  });
  it('never says less than nothing, and nothing once its end is long past', () => {
    expect(paced([0, 0], [100, 99], [200, 99])).toBe(0);
    expect(paced([0, 0], [100, 99], [1000, 99])).toBeUndefined();
  });
});
