import { describe, expect, it, onTestFinished } from 'vitest';
import { submissionsThatGoWrong } from '../submissions.ts';
import { CALM, type DownloadClientLab, QUICK, startLab } from './lab.ts';

const { signal } = new AbortController();
const NAME = 'Sintel.2010-0a1b2c3d';

async function setUp(): Promise<DownloadClientLab> {
  const lab = await startLab();
  onTestFinished(() => lab.close());
  return lab;
}

submissionsThatGoWrong({
  startLab: () => startLab(),
  addressOf: ({ nzbget }) => nzbget.url,
  backendAt: (url, lab, patience) =>
    lab.backendWith({ url }, patience === 'calm' ? CALM : { ...CALM, submit: QUICK.submit }),
});

describe('two jobs of one name', () => {
  const wait = (lab: DownloadClientLab, job: Awaited<ReturnType<typeof lab.backend.submit>>) =>
    lab.backend.waitUntilReady(job, { signal, timeout: 5_000, onProgress: () => undefined });
  const submit = (lab: DownloadClientLab) => lab.backend.submit(lab.film.nzb, NAME, lab.film.request, signal);

  it('are ready with the one that was submitted, whatever becomes of the other', async () => {
    const lab = await setUp();
    const job = await submit(lab);
    await wait(lab, job);
    lab.nextJobs('stuck');
    await submit(lab);
    expect((await wait(lab, job)).id).toBe(job.id);
  });

  it('are ready with the other when only that one is left', async () => {
    const lab = await setUp();
    lab.nextJobs('stuck');
    const job = await submit(lab);
    await lab.backend.remove(job, signal);
    await lab.heal();
    const other = await submit(lab);
    expect((await wait(lab, job)).id).toBe(other.id);
  });
});
