import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALTMOUNT, INFINIDYSK, NZBDAV, whenQuery } from '../../../sandbox/index.ts';
import { sabApi } from '../../../src/backends/sabnzbd/api.ts';
import { knownServer } from '../../../src/backends/sabnzbd/server.ts';
import { INFINIDYSK as INFINIDYSK_API } from '../../../src/backends/webdav/dialect/index.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import type { Job, JobProgress } from '../../../src/model/index.ts';
import { serve } from '../../support/http-server.ts';
import { QUICK, startLab, type WebdavLab } from './lab.ts';

let lab: WebdavLab;
beforeEach(async () => {
  // Nothing of this is about a server that is slow.
  lab = await startLab(NZBDAV);
});
afterEach(() => lab.close());

const NAME = 'Sintel-0a1b2c3d';
const live = () => new AbortController().signal;
const submit = () => lab.backend.submit(lab.film.nzb, NAME, lab.film.request, live());

async function failure(outcome: Promise<unknown>): Promise<SlipstreamError> {
  const error: unknown = await outcome.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(SlipstreamError);
  return error as SlipstreamError;
}

describe('a provider that cannot be had', () => {
  it('ends the play where none is set up: no other release would do', async () => {
    lab.sandbox.faults.provider = 'none';
    const job = await submit();
    const options = { signal: live(), timeout: 5_000, onProgress: () => undefined };
    const error = await failure(lab.backend.waitUntilReady(job, options));
    expect([error.code, error.explanation]).toEqual([
      'NOT_CONFIGURED',
      {
        what: 'nzbdav has no usenet provider yet, so it can get no release.',
        next: 'Add your provider in nzbdav (Settings, Usenet), then try again.',
      },
    ]);
  });

  it.each(['away', 'refuses-login'] as const)(
    'is a likely cause of a job that is never begun: %s',
    async (provider) => {
      lab.sandbox.faults.provider = provider;
      const job = await submit();
      const stages: string[] = [];
      const onProgress = ({ stage }: { stage: string }) => stages.push(stage);
      const options = { signal: live(), timeout: 400, onProgress };
      const error = await failure(lab.backend.waitUntilReady(job, options));
      expect([error.code, error.explanation.what]).toEqual([
        'JOB_TIMEOUT',
        'nzbdav did not begin with the release within 1 seconds.',
      ]);
      expect(error.explanation.next).toContain('whether your usenet provider answers and accepts the login');
      expect([...new Set(stages)]).toEqual(['queued']);
    },
  );
});

/** What the person is told while the job waits, until the time is over or what is waited for has come. */
async function heldWhile(job: Job, { timeout = 1_000, until }: { timeout?: number; until?: string } = {}) {
  const seen: JobProgress[] = [];
  const enough = new AbortController();
  const onProgress = (progress: JobProgress) => {
    seen.push(progress);
    if (until !== undefined && progress.stallReason === until) enough.abort(new Error('seen'));
  };
  const waiting = lab.backend.waitUntilReady(job, { signal: enough.signal, timeout, onProgress });
  const error: unknown = await waiting.catch((cause: unknown) => cause);
  return { held: seen.map((progress) => progress.stallReason), error: error as SlipstreamError };
}

async function atInfiniDysk(): Promise<void> {
  await lab.close();
  lab = await startLab(INFINIDYSK);
}

/** What `mode=warnings` answers from now on. @param age Seconds. */
function warns(...all: readonly (readonly [text: string, age: number])[]): void {
  const now = Math.floor(Date.now() / 1000);
  const warnings = all.map(([text, age]) => ({ type: 'WARNING', text, time: now - age }));
  const body = JSON.stringify({ warnings });
  lab.sandbox.faults.api.push({ kind: 'body', body, when: whenQuery('mode', 'warnings') });
}

const LIKELY =
  'nzbdav does not begin; probably its provider cannot be reached. It may take a minute after the provider is back';
const asked = () => lab.sandbox.requests.filter(whenQuery('mode', 'warnings')).length;

describe('a queue in which nothing moves', () => {
  it('is told as a provider that cannot be reached, where its server says nothing', async () => {
    lab.sandbox.faults.provider = 'away';
    const { held, error } = await heldWhile(await submit());
    expect(held).toEqual([undefined, LIKELY]);
    // At the end the next step tells as much.
    expect(error.explanation.what).toBe('nzbdav did not begin with the release within 1 seconds.');
    expect(asked()).toBe(0);
  });

  it('is not told of while another job is fetched', async () => {
    lab.nextJobs('stuck');
    await lab.backend.submit(lab.film.nzb, 'Other-ffff0000', lab.film.request, live());
    const { held } = await heldWhile(await submit(), { timeout: 400 });
    expect(held).toEqual([undefined]);
  });

  it('is not told of while a percentage moves', async () => {
    let percent = 0;
    const slot = (nzo_id: string, more: object) => ({ nzo_id, status: 'Queued', ...more });
    const job = await submit();
    const slots = () => [slot(job.id, {}), slot('other', { true_percentage: String(++percent) })];
    lab.sandbox.faults.api.push({
      kind: 'body',
      get body() {
        return JSON.stringify({ queue: { slots: slots() } });
      },
      when: whenQuery('mode', 'queue'),
    });
    const history = JSON.stringify({ history: { slots: [] } });
    lab.sandbox.faults.api.push({ kind: 'body', body: history, when: whenQuery('mode', 'history') });
    expect((await heldWhile(job, { timeout: 400 })).held).toEqual([undefined]);
  });

  it('is not told of where another job is first', async () => {
    const queue = { slots: ['other', 'ours'].map((nzo_id) => ({ nzo_id, status: 'Queued' })) };
    const history = { history: { slots: [] } };
    lab.sandbox.faults.api.push(
      { kind: 'body', body: JSON.stringify({ queue }), when: whenQuery('mode', 'queue') },
      { kind: 'body', body: JSON.stringify(history), when: whenQuery('mode', 'history') },
    );
    const job = { id: 'ours', name: NAME, category: 'movies' };
    expect((await heldWhile(job, { timeout: 400 })).held).toEqual([undefined]);
  });
});

describe('a server that tells why a job waits', () => {
  it.each([
    ['away', 'Could not connect to usenet host. Check connection settings.'],
    ['refuses-login', 'Could not login to usenet host: 481 bad password'],
  ] as const)(
    'is asked once, and the person hears it, though it was never met: %s',
    async (provider, reason) => {
      await atInfiniDysk();
      lab.sandbox.faults.provider = provider;
      const { held, error } = await heldWhile(await submit());
      expect(held).toEqual([undefined, reason]);
      expect(error.explanation.what).toBe(
        `InfiniDysk did not begin with the release within 1 seconds ("${reason}").`,
      );
      expect(asked()).toBe(1);
    },
  );

  it('is believed about its provider, where it says nothing of the job', async () => {
    await atInfiniDysk();
    lab.sandbox.faults.provider = 'away';
    warns(['All providers exhausted. Status=Network Reason: "No route"', 0], ['Disk is nearly full', 0]);
    expect((await heldWhile(await submit())).held).toEqual([undefined, 'No route']);
  });

  it('is not believed about what was before, or about other jobs', async () => {
    await atInfiniDysk();
    lab.sandbox.faults.provider = 'away';
    warns(
      ['All providers exhausted. Status=Network Reason: "No route"', 60],
      ['Provider connection issue for queue item "Another". Reason: "No route"', 0],
    );
    const { held } = await heldWhile(await submit());
    expect(held).toEqual([undefined, LIKELY.replace('nzbdav', 'InfiniDysk')]);
  });

  it('tells the age of a warning by its own clock', async () => {
    const [clock, time] = ['Sun, 22 Nov 2026 16:00:10 GMT', Date.parse('2026-11-22T16:00:00Z') / 1000];
    const url = await serve((_request, response) => {
      response.setHeader('date', clock);
      response.end(JSON.stringify({ warnings: [{ text: 'x', time }, { text: 'y' }] }));
    });
    const api = sabApi(knownServer(url, 'key', INFINIDYSK_API), QUICK);
    expect(await api.warnings(live())).toEqual([
      { text: 'x', age: 10_000 },
      { text: 'y', age: undefined },
    ]);
  });

  it('is no longer quoted once something moves', async () => {
    await atInfiniDysk();
    lab.sandbox.faults.provider = 'away';
    const reason = 'Could not connect to usenet host. Check connection settings.';
    const job = await submit();
    expect((await heldWhile(job, { until: reason })).held).toEqual([undefined, reason]);
    lab.sandbox.faults.provider = undefined;
    lab.nextJobs('stuck');
    await lab.backend.submit(lab.film.nzb, 'Other-ffff0000', lab.film.request, live());
    expect((await heldWhile(job, { timeout: 400 })).held).toEqual([undefined]);
  });
});

describe('a queue that a person has paused', () => {
  it('is told at once, and at the end', async () => {
    await atInfiniDysk();
    const { apiUrl, apiKey } = lab.sandbox.backend;
    await fetch(`${apiUrl}/api?mode=pause`, { headers: { 'x-api-key': apiKey } });
    const { held, error } = await heldWhile(await submit(), { timeout: 400 });
    const paused = 'the queue of InfiniDysk is paused; resume it there';
    expect(held).toEqual([paused]);
    expect(error.explanation.what).toContain(`("${paused}")`);
    expect(asked()).toBe(0);
  });

  it('is told of AltMount’s as well', async () => {
    await lab.close();
    lab = await startLab(ALTMOUNT);
    const { apiUrl, apiKey } = lab.sandbox.backend;
    const job = await submit();
    const query = new URLSearchParams({ mode: 'pause', apikey: apiKey });
    await fetch(`${apiUrl}/sabnzbd/api?${query.toString()}`);
    const { held, error } = await heldWhile(job, { timeout: 400 });
    expect(held.at(-1)).toBe('the queue of AltMount is paused; resume it there');
    expect(error.explanation.what).toContain('("the queue of AltMount is paused; resume it there")');
  });

  it('may be our job alone', async () => {
    await atInfiniDysk();
    lab.sandbox.faults.provider = 'away';
    const job = await submit();
    const { apiUrl, apiKey } = lab.sandbox.backend;
    await fetch(`${apiUrl}/api?mode=pause&value=${job.id}`, { headers: { 'x-api-key': apiKey } });
    const { held } = await heldWhile(job, { timeout: 400 });
    expect(held).toEqual(['the job is paused in InfiniDysk; resume it there']);
  });
});

describe('removing a job that runs', () => {
  it('leaves a running job to a server that takes its time to let go of it', async () => {
    lab.nextJobs('stuck');
    await submit();
    lab.sandbox.faults.deletion = 500;
    const given = new AbortController();
    const removal = lab.backend.remove({ name: NAME }, given.signal).catch(() => 'given up');
    await expect.poll(() => lab.sandbox.requests.filter(whenQuery('name', 'delete'))).toHaveLength(1);
    given.abort();
    expect(await removal).toBe('given up');
    await expect.poll(() => lab.jobs()).toEqual([]);
  });

  it('waits for it as long as it may', async () => {
    lab.nextJobs('stuck');
    const { name } = await submit();
    lab.sandbox.faults.deletion = 100;
    expect(await lab.backend.remove({ name }, live())).toBe('removed');
    expect(lab.jobs()).toEqual([]);
  });
});
