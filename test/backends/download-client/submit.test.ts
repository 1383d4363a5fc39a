import { describe, expect, it, onTestFinished } from 'vitest';
import type { Nzb } from '../../../src/backends/backend.ts';
import { type Front, frontOf, large, type Mishap } from '../webdav/front.ts';
import { type DownloadClientLab, startLab } from './lab.ts';

const { signal } = new AbortController();
const NAME = 'Sintel.2010-0a1b2c3d';

async function setUp(jobDuration = 40): Promise<DownloadClientLab> {
  const lab = await startLab({ jobDuration });
  onTestFinished(() => lab.close());
  return lab;
}

async function submitThrough(
  mishap: Mishap,
  asSent: (nzb: Nzb) => Nzb = (nzb) => nzb,
): Promise<{ lab: DownloadClientLab; front: Front; outcome: unknown }> {
  const lab = await setUp();
  const front = await frontOf(lab.nzbget.url, mishap);
  const { submit } = lab.backendWith({ url: front.url });
  const outcome: unknown = await submit(asSent(lab.film.nzb), NAME, lab.film.request, signal).catch(
    (error: unknown) => error,
  );
  await front.arrived();
  return { lab, front, outcome };
}

describe('an NZB whose submission goes wrong', () => {
  it.each<Mishap>(['silent', 504])(
    'is not sent a second time once it has left us whole, for the sweep to find: %s',
    async (mishap) => {
      const { lab, front, outcome } = await submitThrough(mishap);
      expect(outcome).toMatchObject({ code: 'SUBMIT_REFUSED', transient: true });
      expect(front.submissions()).toBe(1);
      expect(lab.jobs()).toEqual([NAME]);
    },
  );

  it('is sent a second time when it did not leave whole', async () => {
    const { lab, front, outcome } = await submitThrough('broken', large);
    expect(outcome).toMatchObject({ name: NAME });
    expect(front.submissions()).toBe(2);
    expect(lab.jobs()).toEqual([NAME]);
  });
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
