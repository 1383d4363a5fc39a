import { describe, expect, test } from 'vitest';
import { whenQuery } from '../../sandbox/index.ts';
import { openLedger } from '../../src/backends/ledger.ts';
import { router } from '../../src/router.ts';
import { expectNothingLeft, ledgerRows, type Pipeline, pipeline, SINTEL, STAGES } from './set-up.ts';

/** One message, with what failed and a next step. */
function expectOneMessage({ host }: Pipeline, what: RegExp): void {
  expect(host.notified).toHaveLength(1);
  expect(host.notified[0]?.what).toMatch(what);
  expect(host.notified[0]?.next).not.toBe('');
}

describe('a play that comes to nothing answers once, tells once, leaves nothing behind', () => {
  test('the indexer is down', async () => {
    const p = await pipeline();
    await p.sandbox.shut('indexer');
    await p.resolve(SINTEL);
    expectOneMessage(p, /Sandbox.*cannot be reached/);
    await expectNothingLeft(p);
  });

  test('the backend is down', async () => {
    const p = await pipeline();
    await p.sandbox.shut('api');
    await p.resolve(SINTEL);
    expectOneMessage(p, /nzbdav.*cannot be reached/);
    // Nothing was queued, and the removal that could not be asked for stays in the ledger for the service.
    expect(p.host.resolved).toEqual([undefined]);
  });

  test('the WebDAV server is down', async () => {
    const p = await pipeline();
    await p.sandbox.shut('webdav');
    await p.resolve(SINTEL);
    expectOneMessage(p, /WebDAV.*cannot be reached/i);
    await expectNothingLeft(p);
  });

  test('nothing is found', async () => {
    const p = await pipeline();
    p.sandbox.faults.search = 'empty';
    await p.resolve(SINTEL);
    expectOneMessage(p, /Sintel/);
    await expectNothingLeft(p);
  });

  test('everything is filtered out', async () => {
    const p = await pipeline({ settings: { required_words: 'nowhere' } });
    await p.resolve(SINTEL);
    expectOneMessage(p, /rejected by your filters/);
    await expectNothingLeft(p);
  });

  test.each(['empty-body', 'error', 'limit-reached', 'html', 'no-files', 'broken-xml'] as const)(
    'the NZB is refused: %s',
    async (kind) => {
      const p = await pipeline();
      p.sandbox.faults.nzb = kind;
      await p.resolve(SINTEL);
      expectOneMessage(p, /./);
      expect(p.sandbox.requests.some(whenQuery('mode', 'addfile'))).toBe(false);
      await expectNothingLeft(p);
    },
  );

  test('the backend refuses the submission', async () => {
    const p = await pipeline();
    p.sandbox.faults.submit = { status: 400, error: 'no thanks' };
    await p.resolve(SINTEL);
    expectOneMessage(p, /nzbdav/);
    await expectNothingLeft(p);
  });

  test('the queue of the backend is full: no further release is spent', async () => {
    const p = await pipeline();
    const error = 'Queue is full (1 of 1 items); submissions resume at or below 1.';
    p.sandbox.faults.submit = { status: 200, error };
    await p.resolve(SINTEL);
    expectOneMessage(p, /The queue of nzbdav is full/);
    expect(p.sandbox.requests.filter(whenQuery('mode', 'addfile'))).toHaveLength(1);
    await expectNothingLeft(p);
  });

  test('the backend has no provider: no further release is spent', async () => {
    const p = await pipeline();
    p.sandbox.faults.provider = 'none';
    await p.resolve(SINTEL);
    expectOneMessage(p, /nzbdav has no usenet provider yet/);
    expect(p.sandbox.requests.filter(whenQuery('mode', 'addfile'))).toHaveLength(1);
    await expectNothingLeft(p);
  });

  test('the job fails', async () => {
    const p = await pipeline();
    p.sandbox.faults.job = { kind: 'fails', message: 'article not found' };
    await p.resolve(SINTEL);
    expectOneMessage(p, /./);
    await expectNothingLeft(p);
  });

  test('the job never finishes', async () => {
    const p = await pipeline();
    p.sandbox.faults.job = { kind: 'stuck', percent: 40 };
    const stages = { ...router, resolver: { ...router.resolver, waitUntilReady: shortWait } };
    await p.resolve(SINTEL, stages);
    expectOneMessage(p, /./);
    await expectNothingLeft(p);
  });

  test.each(['empty', 'sample-only', 'no-video'] as const)(
    'the finished folder holds no film: %s',
    async (folder) => {
      const p = await pipeline();
      p.sandbox.faults.folder = folder;
      await p.resolve(SINTEL);
      expectOneMessage(p, /./);
      await expectNothingLeft(p);
    },
  );

  test.each(['indexer_api_key', 'webdav_api_key', 'webdav_password'])(
    'a wrong %s is named as such',
    async (id) => {
      const p = await pipeline({ settings: { [id]: 'wrong-credential' } });
      await p.resolve(SINTEL);
      expectOneMessage(p, /key|password|refused|sign/i);
      expect(p.host.resolved).toEqual([undefined]);
    },
  );

  test.each(['indexer_url', 'webdav_api_url'])(
    'an empty %s asks for it, and is told to who goes back',
    async (id) => {
      const p = await pipeline({ settings: { [id]: '' } });
      const resolving = p.resolve(SINTEL);
      expect((await p.host.person.back()).title).toBe('Set up Slipstream');
      await resolving;
      expectOneMessage(p, /No (indexer|backend) is set up/);
      await expectNothingLeft(p);
    },
  );
});

const shortWait: typeof router.resolver.waitUntilReady = (backend, job, options) =>
  backend.waitUntilReady(job, { ...options, timeout: 300 });

describe('a hostile answer is an error with a code, within bounds', () => {
  const HOSTILE = ['html', 'truncated', 'entity-bomb', 'endless', 'wrong-shape'] as const;
  // Capabilities can be done without; a submission whose answer is lost is adopted, which has a test of its own.
  const AT = STAGES.filter(
    ([name]) => !['the first bytes', 'the indexer’s capabilities', 'the submission'].includes(name),
  );
  test.each(AT.flatMap(([name, service, when]) => HOSTILE.map((kind) => ({ name, service, when, kind }))))(
    '$kind at $name',
    async ({ service, when, kind }) => {
      const p = await pipeline();
      p.sandbox.faults[service].push({ kind, ...(when === undefined ? {} : { when }) });
      await p.resolve(SINTEL);
      expect(p.host.resolved).toEqual([undefined]);
      expect(p.host.notified).toHaveLength(1);
      expect(p.log.lines.filter((line) => line.startsWith('error')).join('\n')).not.toContain('INTERNAL');
      expect(p.host.open()).toBe(0);
    },
  );
});

test.each(['truncated', 'html'] as const)(
  'a submission answered with %s is found again, not sent twice',
  async (kind) => {
    const p = await pipeline();
    const asked = whenQuery('mode', 'addfile');
    p.sandbox.faults.api.push({ kind, when: asked, times: 1 });
    await p.resolve(SINTEL);
    expect(p.host.resolved).toHaveLength(1);
    expect(p.sandbox.jobs().length).toBeLessThanOrEqual(1);
    expect(p.host.open()).toBe(0);
  },
);

describe('a cancel or a shutdown at any stage ends at once and cleans up', () => {
  const ENDS = ['cancel', 'abort'] as const;
  test.each(STAGES.flatMap(([name, service, when]) => ENDS.map((end) => ({ name, service, when, end }))))(
    '$end while $name hangs',
    async ({ name, service, when, end }) => {
      const p = await pipeline();
      p.sandbox.faults[service].push({ kind: 'hang', ...(when === undefined ? {} : { when }) });
      const played = p.resolve(SINTEL);
      await expect
        .poll(() => p.sandbox.requests.some((r) => !r.done && (when?.(r) ?? true)), { timeout: 15_000 })
        .toBe(true);
      p.sandbox.faults[service].length = 0;
      p.host[end]();
      await played;
      expect(p.host.notified).toEqual([]);
      // A submission that was broken off may still arrive: the service goes on looking for it.
      await expectNothingLeft(p, name === 'the submission' ? 1 : 0);
    },
  );

  test('a job is in the ledger before the backend hears of it', async () => {
    const p = await pipeline();
    p.sandbox.faults.api.push({ kind: 'hang', when: whenQuery('mode', 'addfile') });
    const played = p.resolve(SINTEL);
    await expect.poll(() => p.sandbox.requests.some(whenQuery('mode', 'addfile'))).toBe(true);
    expect(await ledgerRows(p.host)).toHaveLength(1);
    p.sandbox.faults.api.length = 0;
    p.host.cancel();
    await played;
    await expectNothingLeft(p, 1);
  });

  test.each(ENDS)('%s while the job downloads removes it from the backend', async (end) => {
    const p = await pipeline();
    p.sandbox.faults.job = { kind: 'stuck', percent: 30 };
    const played = p.resolve(SINTEL);
    await expect.poll(() => p.host.progress.some(({ stage }) => stage.startsWith('Downloading'))).toBe(true);
    expect(await ledgerRows(p.host)).toHaveLength(1);
    p.host[end]();
    await played;
    expect(p.host.notified).toEqual([]);
    await expectNothingLeft(p);
  });

  test('a cancel does not wait for a server that takes its time to let go: the service does', async () => {
    const p = await pipeline();
    p.sandbox.faults.job = { kind: 'stuck', percent: 30 };
    p.sandbox.faults.deletion = 8_000;
    const played = p.resolve(SINTEL);
    await expect.poll(() => p.host.progress.some(({ stage }) => stage.startsWith('Downloading'))).toBe(true);
    const since = performance.now();
    p.host.cancel();
    await played;
    expect(performance.now() - since).toBeLessThan(6_000);
    expect(await openLedger(p.host.dataFolder, 0).abandoned()).toHaveLength(1);
  });

  test('going back in the picker cancels without a word', async () => {
    const p = await pipeline({
      settings: { auto_select: 'false' },
      choice: () => Promise.resolve(undefined),
    });
    await p.resolve(SINTEL);
    expect(p.host.notified).toEqual([]);
    await expectNothingLeft(p);
  });

  test('a shutdown closes the open picker', async () => {
    const p = await pipeline({
      settings: { auto_select: 'false' },
      choice: (_list, host) => {
        host.abort();
        return new Promise(() => undefined);
      },
    });
    await p.resolve(SINTEL);
    expect(p.host.notified).toEqual([]);
    await expectNothingLeft(p);
  });

  test('a cancel on the script path says so', async () => {
    const p = await pipeline({
      settings: { auto_select: 'false' },
      choice: () => Promise.resolve(undefined),
    });
    await p.script('type=movie', 'title=Sintel', 'year=2010', 'imdb=tt1727587');
    expect(p.host.notified.map(({ next }) => next)).toEqual(['Cancelled.']);
    expect(p.host.played).toEqual([]);
  });
});
