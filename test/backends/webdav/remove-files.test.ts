import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ALTMOUNT, type Dialect, NZBDAV, whenMethod } from '../../../sandbox/index.ts';
import type { FinishedJob } from '../../../src/backends/backend.ts';
import { startLab, type WebdavLab } from './lab.ts';

const { signal } = new AbortController();
const NAME = 'Sintel.2010-0a1b2c3d';

let lab: WebdavLab;
const setUp = async (dialect: Dialect) => {
  lab = await startLab(dialect);
  onTestFinished(() => lab.close());
};

async function finish(name: string): Promise<FinishedJob> {
  const job = await lab.backend.submit(lab.film.nzb, name, lab.film.request, signal);
  return lab.backend.waitUntilReady(job, { signal, timeout: 5_000, onProgress: () => undefined });
}

const fileOf = async (job: FinishedJob) => (await lab.backend.locate(job, lab.film.request, signal)).file;
const deletions = () => lab.sandbox.requests.filter(whenMethod('DELETE')).map(({ path }) => path);

describe('a server that leaves the files of a job it was told to delete', () => {
  beforeEach(() => setUp(ALTMOUNT));

  it('has them deleted in its share, and nobody else’s', async () => {
    const [job, other] = [await finish(NAME), await finish('Sintel.2010-0a1b2c3e')];
    const [gone, kept] = [await fileOf(job), await fileOf(other)];
    expect(await lab.backend.remove(job, signal)).toBe('removed');
    expect(deletions()).toContain(`/webdav/complete/Movies/${NAME}/`);
    expect(deletions().every((path) => path.endsWith(`/${NAME}/`))).toBe(true);
    expect([await lab.opens(gone), await lab.opens(kept)]).toEqual([false, true]);
  });

  it('keeps a folder whose name is not one of ours alone', async () => {
    const job = await finish('Sintel.2010');
    const file = await fileOf(job);
    expect(await lab.backend.remove(job, signal)).toBe('removed');
    expect(deletions()).toEqual([]);
    expect(await lab.opens(file)).toBe(true);
  });

  it('still knows the job when its share was away, so that it is found again', async () => {
    const job = await finish(NAME);
    lab.sandbox.faults.webdav.push({ kind: 'status', status: 503, when: whenMethod('DELETE'), times: 1 });
    await expect(lab.backend.remove(job, signal)).rejects.toMatchObject({ code: 'SERVICE_ERROR' });
    expect(lab.jobs()).toEqual([NAME]);
    expect(await lab.backend.remove({ name: NAME }, signal)).toBe('removed');
    expect(lab.jobs()).toEqual([]);
    expect(deletions().length).toBeGreaterThan(1);
  });

  it('is rid of the job although its share deletes nothing', async () => {
    const job = await finish(NAME);
    lab.sandbox.faults.webdav.push({ kind: 'status', status: 405, when: whenMethod('DELETE') });
    expect(await lab.backend.remove(job, signal)).toBe('removed');
    expect(lab.logged()).toMatch(/keeps the files/);
  });
});

it('asks nothing of a share whose server deletes the files itself', async () => {
  await setUp(NZBDAV);
  await lab.backend.remove(await finish(NAME), signal);
  expect(deletions()).toEqual([]);
});
