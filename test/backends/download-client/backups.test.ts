import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { downloadClientBackend } from '../../../src/backends/download-client/index.ts';
import type { Job } from '../../../src/model/index.ts';
import { nzbFor, released } from '../labs.ts';
import { type DownloadClientLab, startLab } from './lab.ts';

const { signal } = new AbortController();
const NAME = 'Big.Buck.Bunny.2008-0a1b2c3d';
const OTHERS = [
  'Big.Buck.Bunny.2008.720p.WEB-DL.AAC2.0.H.264-BURROW',
  'Big.Buck.Bunny.2008.1080p.BluRay.x264-MEADOW',
].map((name) => nzbFor(released(name)));

interface Setting extends DownloadClientLab {
  readonly backend: ReturnType<typeof downloadClientBackend>;
}

async function setUp(backups = 5): Promise<Setting> {
  const lab = await startLab();
  onTestFinished(() => lab.close());
  return { ...lab, backend: lab.backendWith({ backups }) };
}

const submit = ({ backend, film }: Setting) => backend.submit(film.nzb, NAME, film.request, signal);
const wait = ({ backend }: Setting, job: Job) =>
  backend.waitUntilReady(job, { signal, timeout: 5_000, onProgress: () => undefined });
/** Only the first job fails: backups are submitted without the fault. */
async function failing(lab: Setting): Promise<Job> {
  lab.nzbget.faults.job = { kind: 'fails', status: 'FAILURE/HEALTH', at: 1500 };
  const job = await submit(lab);
  lab.nzbget.faults.job = undefined;
  return job;
}
const names = ({ nzbget }: Setting) => [...nzbget.jobs.queue, ...nzbget.jobs.history].map(({ name }) => name);

describe('further posts of a release', () => {
  it('wait in the history, each with a lower score, under the key of their job', async () => {
    const lab = await setUp();
    lab.nextJobs('stuck');
    const job = await submit(lab);
    expect(await lab.backend.addBackups(OTHERS, job, signal)).toBe(2);
    expect(lab.nzbget.jobs.queue.map(({ name, dupeMode }) => [name, dupeMode])).toEqual([[NAME, 'SCORE']]);
    const { history } = lab.nzbget.jobs;
    expect(history.map(({ name, end, dupeScore }) => [name, end?.status, dupeScore])).toEqual([
      [`${NAME}.backup-2`, 'DELETED/DUPE', 98],
      [`${NAME}.backup-1`, 'DELETED/DUPE', 99],
    ]);
    expect(new Set([...history, ...lab.nzbget.jobs.queue].map(({ dupeKey }) => dupeKey)).size).toBe(1);
  });

  it('bring the passwords of their archives', async () => {
    const lab = await setUp();
    lab.nextJobs('stuck');
    const job = await submit(lab);
    const [other] = OTHERS;
    if (other === undefined) expect.unreachable();
    await lab.backend.addBackups(
      [{ ...other, release: { ...other.release, password: 'laundry' } }],
      job,
      signal,
    );
    const [backup] = lab.nzbget.jobs.history;
    expect(backup?.parameters.get('*Unpack:Password')).toBe('laundry');
  });

  it('take the place of a job that fails, the best one first, and are waited for and found', async () => {
    const lab = await setUp();
    const job = await failing(lab);
    await lab.backend.addBackups(OTHERS, job, signal);
    const finished = await wait(lab, job);
    expect(finished).toMatchObject({ name: NAME, storage: `/downloads/completed/Movies/${NAME}.backup-1` });
    const { file } = await lab.backend.locate(finished, lab.film.request, signal);
    expect(file.name).toBe('Big.Buck.Bunny.2008.720p.WEB-DL.AAC2.0.H.264-BURROW.mkv');
  });

  it('fail with the words of the job itself when none of them is better', async () => {
    const lab = await setUp();
    lab.nzbget.faults.job = { kind: 'fails', status: 'FAILURE/PAR', at: 200 };
    const job = await submit(lab);
    lab.nzbget.faults.job = { kind: 'fails', status: 'FAILURE/UNPACK' };
    await lab.backend.addBackups(OTHERS, job, signal);
    await expect(wait(lab, job)).rejects.toThrow(/JOB_FAILED.*FAILURE\/PAR/);
  });

  it('are dropped when a job of theirs plays, and it alone is kept', async () => {
    const lab = await setUp();
    const job = await failing(lab);
    await lab.backend.addBackups(OTHERS, job, signal);
    await wait(lab, job);
    expect(names(lab)).toHaveLength(3);
    expect(readdirSync(join(lab.nzbget.folder, 'Movies'))).toContain(NAME);
    await lab.backend.dropBackups?.(job, signal);
    await vi.waitFor(() => {
      lab.nzbget.jobs.advance();
      expect(names(lab)).toEqual([`${NAME}.backup-1`]);
    });
    expect(readdirSync(join(lab.nzbget.folder, 'Movies'))).toEqual([`${NAME}.backup-1`]);
  });

  it('are removed with their job, wherever they stand', async () => {
    const lab = await setUp();
    const job = await failing(lab);
    await lab.backend.addBackups(OTHERS, job, signal);
    await wait(lab, job);
    expect(names(lab)).toHaveLength(3);
    expect(await lab.backend.remove({ name: NAME }, signal)).toBe('removed');
    expect(names(lab)).toEqual([]);
  });

  it('do not come to life when their running job is removed', async () => {
    const lab = await setUp();
    lab.nextJobs('stuck');
    const job = await submit(lab);
    await lab.backend.addBackups(OTHERS, job, signal);
    expect(await lab.backend.remove(job, signal)).toBe('removed');
    expect(names(lab)).toEqual([]);
  });

  it('are as many as the settings allow', async () => {
    const lab = await setUp(1);
    lab.nextJobs('stuck');
    expect(await lab.backend.addBackups(OTHERS, await submit(lab), signal)).toBe(1);
    const none = await setUp(0);
    none.nextJobs('stuck');
    const job = await submit(none);
    const before = none.requests();
    expect(await none.backend.addBackups(OTHERS, job, signal)).toBe(0);
    expect(none.requests()).toBe(before);
  });

  it('are none where they would be downloaded at once', async () => {
    const unchecked = await setUp();
    unchecked.nzbget.jobs.dupeCheck = false;
    unchecked.nextJobs('stuck');
    expect(await unchecked.backend.addBackups(OTHERS, await submit(unchecked), signal)).toBe(0);
    const over = await setUp();
    const job = await submit(over);
    await wait(over, job);
    expect(await over.backend.addBackups(OTHERS, job, signal)).toBe(0);
    expect([...names(unchecked), ...names(over)]).toEqual([NAME, NAME]);
  });

  it('are none behind a job that was sent without the check', async () => {
    const lab = await setUp();
    await wait(lab, await submit(lab));
    lab.nextJobs('stuck');
    const again = await lab.backend.submit(lab.film.nzb, `${NAME}-again`, lab.film.request, signal);
    const before = lab.calls('append');
    expect(await lab.backend.addBackups(OTHERS, again, signal)).toBe(0);
    expect(lab.calls('append')).toBe(before);
  });

  it('leave nothing behind that is the same post from another indexer', async () => {
    const lab = await setUp();
    lab.nextJobs('stuck');
    const job = await submit(lab);
    expect(await lab.backend.addBackups([lab.film.nzb, ...OTHERS], job, signal)).toBe(2);
    expect(names(lab).sort()).toEqual([NAME, `${NAME}.backup-2`, `${NAME}.backup-3`]);
  });
});

describe('a job that may have backups', () => {
  it('is downloaded although NZBGet has had the same post before', async () => {
    const lab = await setUp();
    const first = await submit(lab);
    await wait(lab, first);
    const again = await lab.backend.submit(lab.film.nzb, `${NAME}-again`, lab.film.request, signal);
    expect((await wait(lab, again)).storage).toContain('-again');
    expect(lab.nzbget.jobs.history.map(({ dupeMode }) => dupeMode)).toEqual(['FORCE', 'SCORE']);
  });
});

describe('a job that was taken', () => {
  it.each(['unavailable', 'wrong-shape'] as const)(
    'stays so when the history cannot be read: %s',
    async (how) => {
      const lab = await setUp();
      lab.misbehave('wait', how, 1);
      const job = await submit(lab);
      expect((await wait(lab, job)).id).toBe(job.id);
      expect(lab.calls('append')).toBe(1);
    },
  );
});

describe('a job without backups', () => {
  it('asks nothing of the check for duplicates', async () => {
    const lab = await setUp(0);
    await wait(lab, await submit(lab));
    await wait(lab, await lab.backend.submit(lab.film.nzb, `${NAME}-again`, lab.film.request, signal));
    expect(lab.nzbget.jobs.history.map(({ dupeMode }) => dupeMode)).toEqual(['FORCE', 'FORCE']);
    expect(lab.calls('append')).toBe(2);
  });
});
