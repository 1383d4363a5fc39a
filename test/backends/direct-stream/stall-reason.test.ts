import { expect, onTestFinished, test } from 'vitest';
import { startDirectStream } from '../../../sandbox/direct-stream/index.ts';
import { whenQuery } from '../../../sandbox/index.ts';
import { directStreamBackend } from '../../../src/backends/direct-stream/index.ts';
import type { JobProgress } from '../../../src/model/index.ts';
import { memoryLog } from '../../support/log.ts';
import { FILM, FILM_RELEASE, nzbFor } from '../labs.ts';
import { CALM, QUICK } from './lab.ts';

// AltMount's call for an order says nothing while its queue is paused (protocols.md §8.12).

const KEY = 'key-9b1f02';
const PAUSED = 'the queue of AltMount is paused; resume it there';

async function setUp({ jobDuration = 20 } = {}) {
  const service = await startDirectStream('altmount', { apiKey: KEY, jobDuration });
  onTestFinished(() => service.close());
  const config = { kind: 'altmount', url: service.url, apiKey: KEY, via: 'player' } as const;
  // A call that is asked again under load would tell the same; nothing here is about that.
  const backend = directStreamBackend(config, memoryLog(), CALM);
  const set = async (mode: 'pause' | 'resume') => {
    const { status } = await fetch(`${service.url}/sabnzbd/api?mode=${mode}&apikey=${KEY}&output=json`);
    expect(status).toBe(200);
  };
  const told: JobProgress[] = [];
  const wait = async ({ timeout = 30_000, onTold = (_: JobProgress): unknown => undefined } = {}) => {
    const { signal } = new AbortController();
    const job = await backend.submit(nzbFor(FILM_RELEASE), 'Film-0a1b2c3d', FILM, signal);
    const onProgress = (progress: JobProgress) => {
      told.push(progress);
      onTold(progress);
    };
    return await backend.waitUntilReady(job, { signal, timeout, onProgress });
  };
  const looks = () => service.requests.filter(whenQuery('mode', 'queue')).length;
  return { service, set, told, wait, looks };
}

const changesIn = (told: readonly JobProgress[]) =>
  told.map(({ stallReason: held }) => held).filter((held, at, all) => at === 0 || held !== all[at - 1]);

test('a paused queue is told as soon as it can be known, and no more once it is resumed', async () => {
  const { set, told, wait } = await setUp();
  await set('pause');
  await wait({ onTold: ({ stallReason: held }) => held === PAUSED && set('resume') });
  expect(changesIn(told)).toEqual([undefined, PAUSED, undefined]);
  expect(told.at(-1)).toEqual({ stage: 'ready', percent: 100 });
});

test('what waits to the end in a paused queue ends with that', async () => {
  const { set, wait } = await setUp();
  await set('pause');
  await expect(wait({ timeout: 2_000 })).rejects.toMatchObject({
    code: 'JOB_TIMEOUT',
    explanation: { what: `AltMount did not begin with the release within 2 seconds ("${PAUSED}").` },
  });
});

test('a queue that runs tells nothing, and is not asked any more once the order is ready', async () => {
  const { told, wait, looks } = await setUp({ jobDuration: 700 });
  await wait();
  expect(told.map(({ stallReason: held }) => held)).toEqual(told.map(() => undefined));
  const before = looks();
  expect(before).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 8 * QUICK.stallCheck));
  // The question that was under way when the order was ready may arrive after it.
  expect(looks()).toBeLessThanOrEqual(before + 1);
});

test.each([
  { who: 'no such API', status: 404 },
  { who: 'a login page', status: 403 },
])('where $who answers, it is asked once, and the order goes on', async ({ status }) => {
  const { service, told, wait, looks } = await setUp({ jobDuration: 700 });
  service.faults.api.push({ kind: 'status', status, when: ({ path }) => path === '/sabnzbd/api' });
  await wait();
  expect(looks()).toBe(1);
  expect(told.at(-1)).toEqual({ stage: 'ready', percent: 100 });
});

test('an answer that does not come is waited for alone, and broken off with the order', async () => {
  const { service, told, wait, looks } = await setUp({ jobDuration: 700 });
  service.faults.api.push({ kind: 'hang', when: ({ path }) => path === '/sabnzbd/api' });
  await wait();
  expect(looks()).toBe(1);
  expect(told.at(-1)).toEqual({ stage: 'ready', percent: 100 });
});

test('a question that fails takes back what was told, and the next one tells it again', async () => {
  const { service, set, told, wait } = await setUp();
  await set('pause');
  let times = 0;
  await wait({
    onTold: ({ stallReason: held }) => {
      if (held !== PAUSED) return undefined;
      if (++times > 1) return set('resume');
      service.faults.api.push({ kind: 'status', status: 500, times: 1, when: whenQuery('mode', 'queue') });
      return undefined;
    },
  });
  expect(changesIn(told)).toEqual([undefined, PAUSED, undefined, PAUSED, undefined]);
});
