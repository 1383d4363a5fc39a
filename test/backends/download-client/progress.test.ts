import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { adaptivePollPacer, progressOf } from '../../../src/backends/download-client/progress.ts';
import type { Group } from '../../../src/backends/download-client/rpc-schema.ts';
import { NZBGET_TIMINGS } from '../../../src/backends/download-client/timings.ts';
import type { JobProgress } from '../../../src/model/index.ts';

const group = (own: Partial<Group>): Group => ({
  id: 1,
  names: ['Sintel'],
  category: '',
  status: 'DOWNLOADING',
  wanted: 1_000,
  left: 250,
  stageProgress: 420,
  health: 1_000,
  criticalHealth: 900,
  dupeMode: 'FORCE',
  ...own,
});

describe('what NZBGet does', () => {
  it.each([
    ['QUEUED', 'queued', undefined],
    ['PAUSED', 'queued', undefined],
    ['FETCHING', 'queued', undefined],
    ['DOWNLOADING', 'downloading', 75],
    ['PP_QUEUED', 'verifying', undefined],
    ['LOADING_PARS', 'verifying', undefined],
    ['VERIFYING_SOURCES', 'verifying', 42],
    ['REPAIRING', 'repairing', 42],
    ['VERIFYING_REPAIRED', 'repairing', undefined],
    ['RENAMING', 'verifying', undefined],
    ['UNPACKING', 'unpacking', 42],
    ['MOVING', 'unpacking', undefined],
    ['POST_UNPACK_RENAMING', 'unpacking', undefined],
    ['EXECUTING_SCRIPT', 'unpacking', undefined],
    ['PP_FINISHED', 'unpacking', undefined],
    ['SOMETHING_NEW', 'unpacking', undefined],
  ])('is shown: %s', (status, stage, percent) => {
    expect(progressOf(group({ status }))).toEqual(percent === undefined ? { stage } : { stage, percent });
  });

  it.each([
    [{ wanted: 0, left: 0 }, undefined],
    [{ wanted: 1_000, left: 1_000 }, 0],
    [{ wanted: 1_000, left: 0 }, 100],
    // More repair files have joined than were counted.
    [{ wanted: 1_000, left: 1_200 }, 0],
    [{ wanted: 1_000, left: -5 }, 100],
    [{ wanted: 3 * 2 ** 40, left: 2 ** 40 }, 66.7],
  ])('has a percentage within its bounds: %j', (sizes, percent) => {
    expect(progressOf(group(sizes)).percent).toBe(percent);
  });
});

describe('the pace of the looks', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** Looks at a job until it is ready; gives the number of looks and how late the last one was. */
  function looks(duration: number, at: (share: number) => JobProgress): { looks: number; late: number } {
    const pace = adaptivePollPacer(NZBGET_TIMINGS.poll);
    let now = 0;
    let count = 1;
    for (; now < duration; count++) {
      const wait = pace.nextDelay(at(now / duration));
      expect(wait).toBeGreaterThanOrEqual(NZBGET_TIMINGS.poll.min);
      expect(wait).toBeLessThanOrEqual(NZBGET_TIMINGS.poll.max);
      now += wait;
      vi.advanceTimersByTime(wait);
    }
    return { looks: count, late: now - duration };
  }
  const counted = (share: number): JobProgress => ({ stage: 'downloading', percent: share * 100 });
  const uncounted = (): JobProgress => ({ stage: 'queued' });

  it('is at most two requests a second, and about one in two seconds of a long job', () => {
    const durations = Array.from({ length: 50 }, (_, i) => 200 * (i + 1));
    for (const at of [counted, uncounted]) {
      const all = durations.map((duration) => looks(duration, at).looks);
      const seconds = durations.reduce((sum, each) => sum + each, 0) / 1_000;
      expect(all.reduce((sum, each) => sum + each, 0) / seconds).toBeLessThanOrEqual(2);
      expect(looks(600_000, at).looks).toBeLessThan(330);
    }
  });

  it('meets the end of a job whose progress is known within the shortest time', () => {
    for (let duration = 3_000; duration < 600_000; duration = Math.ceil(duration * 1.37))
      expect(looks(duration, counted).late).toBeLessThanOrEqual(NZBGET_TIMINGS.poll.min);
  });
});
