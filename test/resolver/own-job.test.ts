import { expect, test } from 'vitest';
import type { Backend, WaitOptions } from '../../src/backends/backend.ts';
import { pause } from '../../src/io/wait.ts';
import { OwnJob } from '../../src/resolver/own-job.ts';
import { type ResolveContext, resolver } from '../../src/resolver.ts';
import { release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';

const REQUEST = { kind: 'movie', title: 'Sintel', ids: {} } as const;
const RELEASE = release();
const JOB = { id: '1', name: 'Sintel-0a1b2c3d', category: 'movies' };

test('the looks at a job count from the answer to its submission, not from what is noted of it', async () => {
  const { signal } = new AbortController();
  const waits: WaitOptions[] = [];
  const at = { answered: Number.NaN, noted: Number.NaN };
  const submit = () => {
    at.answered = performance.now();
    return Promise.resolve(JOB);
  };
  const stages = {
    ...resolver,
    waitUntilReady: (_backend: Backend, _job: unknown, options: WaitOptions) => {
      waits.push(options);
      return Promise.resolve({ ...JOB, storage: '' });
    },
  };
  const entry = {
    markSubmitted: async () => {
      at.noted = performance.now();
      await pause(10, signal);
    },
  };
  const context = {
    backend: { categoryOf: () => 'movies' },
    ledger: { enter: () => Promise.resolve(entry) },
    signal,
    timeout: 1_000,
    log: memoryLog(),
  } as unknown as ResolveContext;
  const job = await OwnJob.enter(RELEASE, REQUEST, context, resolver);
  await job.submitAndWait({ release: RELEASE, stage: '', submit }, context, stages);
  const since = waits[0]?.submittedAt;
  expect(since).toBeGreaterThanOrEqual(at.answered);
  expect(since).toBeLessThanOrEqual(at.noted);
});
