import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NzbgetOptions } from '../../../sandbox/nzbget/index.ts';
import { jobFailed } from '../../../src/backends/download-client/outcome.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import type { Job, JobProgress } from '../../../src/model/index.ts';
import { nzbFor, released } from '../labs.ts';
import { type DownloadClientLab, startLab } from './lab.ts';

const { signal } = new AbortController();
const NAME = 'Sintel.2010-0a1b2c3d';

async function setUp(options?: NzbgetOptions): Promise<DownloadClientLab> {
  const lab = await startLab(options);
  onTestFinished(() => lab.close());
  return lab;
}

async function wait(lab: DownloadClientLab, job?: Job, seen: JobProgress[] = [], timeout = 5_000) {
  const submitted = job ?? (await lab.backend.submit(lab.film.nzb, NAME, lab.film.request, signal));
  return await lab.backend.waitUntilReady(submitted, {
    signal,
    timeout,
    onProgress: (progress) => seen.push(progress),
  });
}

async function failureOf(outcome: Promise<unknown>): Promise<SlipstreamError> {
  const error: unknown = await outcome.catch((cause: unknown) => cause);
  if (!(error instanceof SlipstreamError)) throw new Error(`no failure: ${JSON.stringify(error)}`);
  return error;
}

describe('what the history says', () => {
  it.each(['SUCCESS/ALL', 'SUCCESS/GOOD', 'SUCCESS/MARK', 'WARNING/SCRIPT', 'WARNING/HEALTH'])(
    'is played after %s',
    async (status) => {
      const lab = await setUp();
      lab.nzbget.faults.job = { kind: 'ends', status };
      const finished = await wait(lab);
      expect(finished.storage).toBe(`/downloads/completed/Movies/${NAME}`);
      expect(finished.size).toBeGreaterThan(0);
      expect((await lab.backend.finishedJobs(signal)).map(({ name }) => name)).toEqual([NAME]);
      expect((await lab.backend.locate(finished, lab.film.request, signal)).file.via).toBe('player');
    },
  );

  const FAILURES = [
    ['WARNING/PASSWORD', /password/],
    ['WARNING/SPACE', /full/],
    ['WARNING/DAMAGED', /damaged/],
    ['WARNING/REPAIRABLE', /not to repair/],
    ['WARNING/SKIPPED', /unpacked/],
    ['FAILURE/PAR', /no longer complete/],
    ['FAILURE/UNPACK', /unpacked/],
    ['FAILURE/MOVE', /move/],
    ['FAILURE/SCAN', /cannot read the NZB/],
    ['FAILURE/BAD', /bad/],
    ['FAILURE/HEALTH', /no longer complete/],
    ['FAILURE/FETCH', /fetch/],
    ['FAILURE/INTERNAL_ERROR', /problem of its own/],
    ['FAILURE/SOMETHING_NEW', /FAILURE\/SOMETHING_NEW/],
    ['DELETED/MANUAL', /deleted/],
    ['DELETED/DUPE', /duplicate/],
    ['DELETED/COPY', /exactly the same/],
    ['DELETED/GOOD', /marked as good/],
  ] as const;

  it.each(FAILURES)('is told in words after %s', async (status, words) => {
    const lab = await setUp();
    lab.nzbget.faults.job = { kind: 'fails', status };
    const failure = await failureOf(wait(lab));
    expect(failure.code).toBe('JOB_FAILED');
    expect(failure.explanation.what).toMatch(words);
    expect(failure.explanation.next).toMatch(/\.$/);
    expect(await lab.backend.finishedJobs(signal)).toEqual([]);
  });

  it('tells a wrong password of an archive from one that nobody has', async () => {
    const cipher = nzbFor(released('Cosmos.Laundromat.2015.1080p.WEB-DL.H.264-CIPHER'));
    const lab = await setUp();
    const outcome = async (password?: string) => {
      const nzb = { ...cipher, release: { ...cipher.release, ...(password !== undefined && { password }) } };
      const job = await lab.backend.submit(nzb, `${NAME}${password ?? ''}`, lab.film.request, signal);
      return await wait(lab, job).then(
        () => 'ready',
        (error: unknown) => (error as SlipstreamError).explanation.what,
      );
    };
    expect(await outcome('nobody knows')).toBe('ready');
    expect(await outcome('wrong')).toBe('The password that came with the release does not open it.');
    expect(await outcome()).toBe('The release is protected by a password that nobody has.');
  });

  it('has words of its own for each way to fail', () => {
    const known = FAILURES.map(([status]) => jobFailed({ status, hasPassword: false }).explanation);
    // A release that is incomplete is that whether it is found by its health or its repair files.
    expect(new Set(known.map(({ what, next }) => what + next)).size).toBe(known.length);
  });
});

describe('a running job', () => {
  it('shows the stages in their order, with true percentages of each', async () => {
    const lab = await setUp({ jobDuration: 400 });
    lab.nzbget.faults.job = { kind: 'repaired' };
    const seen: JobProgress[] = [];
    await wait(lab, undefined, seen);
    expect([...new Set(seen.map(({ stage }) => stage))]).toEqual([
      'downloading',
      'verifying',
      'repairing',
      'unpacking',
      'ready',
    ]);
    const downloads = seen.filter(({ stage }) => stage === 'downloading').map(({ percent }) => percent ?? -1);
    expect(downloads.length).toBeGreaterThan(2);
    expect(downloads).toEqual([...new Set(downloads)].sort((a, b) => a - b));
  });

  it('costs one request at each look, and the history is asked only at the end', async () => {
    const lab = await setUp({ jobDuration: 400 });
    await wait(lab);
    expect(lab.calls('listgroups')).toBeGreaterThan(5);
    expect(lab.calls('history')).toBe(1);
    expect(lab.requests()).toBe(lab.calls('append') + lab.calls('listgroups') + lab.calls('history'));
  });

  it('is told to be hopeless when NZBGet has paused it for its health', async () => {
    const lab = await setUp();
    lab.nzbget.faults.job = { kind: 'hopeless' };
    expect((await failureOf(wait(lab))).explanation.what).toMatch(/no longer complete/);
  });

  it('says that NZBGet is paused when that is why nothing came', async () => {
    const lab = await setUp();
    lab.nzbget.jobs.paused = true;
    const failure = await failureOf(wait(lab, undefined, [], 400));
    expect([failure.code, failure.explanation.what]).toEqual([
      'JOB_TIMEOUT',
      'NZBGet is paused, so the release is not downloaded.',
    ]);
    expect(lab.calls('status')).toBe(1);
  });

  it('runs even then with the priority that is meant for it', async () => {
    const lab = await setUp();
    lab.nzbget.jobs.paused = true;
    const backend = lab.backendWith({ priority: 'force' });
    await wait(lab, await backend.submit(lab.film.nzb, NAME, lab.film.request, signal));
    expect(lab.nzbget.jobs.history[0]?.priority).toBe(900);
  });

  it('is known by the name of its NZB when a script has renamed it', async () => {
    const lab = await setUp();
    const name = 'Sintel "2010" <1080p>-0a1b2c3d';
    const job = await lab.backend.submit(lab.film.nzb, name, lab.film.request, signal);
    const finished = await wait(lab, job);
    expect(finished).toMatchObject({
      name,
      storage: '/downloads/completed/Movies/Sintel _2010_ _1080p_-0a1b2c3d',
    });
    expect(await lab.backend.remove({ name }, signal)).toBe('removed');
  });

  it('is not given up while its server restarts', async () => {
    const lab = await setUp({ jobDuration: 150 });
    const job = await lab.backend.submit(lab.film.nzb, NAME, lab.film.request, signal);
    const [finished] = await Promise.all([wait(lab, job), lab.restart(100)]);
    expect(finished.id).toBe(job.id);
  });

  it('is given up when its server stays away', async () => {
    const lab = await setUp();
    const job = await lab.backend.submit(lab.film.nzb, NAME, lab.film.request, signal);
    await lab.shut();
    expect((await failureOf(wait(lab, job))).code).toBe('UNREACHABLE');
  });
});

describe('a removal', () => {
  it("leaves a stranger's job alone that has the id of ours", async () => {
    const lab = await setUp();
    lab.nextJobs('stuck');
    const other = await lab.backend.submit(lab.film.nzb, 'Somebody.elses', lab.film.request, signal);
    expect(await lab.backend.remove({ id: other.id, name: NAME }, signal)).toBe('absent');
    expect(lab.jobs()).toEqual(['Somebody.elses']);
    expect(lab.calls('editqueue')).toBe(0);
  });

  it("leaves a stranger's job alone whose name begins with ours", async () => {
    const lab = await setUp();
    lab.nextJobs('stuck');
    const name = `${NAME}.2`;
    await lab.backend.submit(lab.film.nzb, name, lab.film.request, signal);
    expect(await lab.backend.remove({ id: '1', name: NAME }, signal)).toBe('absent');
    expect(lab.jobs()).toEqual([name]);
  });

  it('takes the files of a success along, which NZBGet itself would leave', async () => {
    const lab = await setUp();
    const finished = await wait(lab);
    const { file } = await lab.backend.locate(finished, lab.film.request, signal);
    expect(await lab.opens(file)).toBe(true);
    await lab.backend.remove(finished, signal);
    expect(await lab.opens(file)).toBe(false);
    expect(lab.jobs()).toEqual([]);
  });

  it.each(['FAILURE/HEALTH', 'FAILURE/UNPACK', 'WARNING/PASSWORD'])(
    'takes the files along that NZBGet leaves after %s',
    async (status) => {
      const lab = await setUp();
      lab.nzbget.faults.job = { kind: 'fails', status };
      const job = await lab.backend.submit(lab.film.nzb, NAME, lab.film.request, signal);
      await failureOf(wait(lab, job));
      const left = () => readdirSync(join(lab.nzbget.folder, 'Movies'));
      expect(left()).toEqual([NAME]);
      expect(await lab.backend.remove(job, signal)).toBe('removed');
      expect([left(), lab.jobs()]).toEqual([[], []]);
    },
  );
});
