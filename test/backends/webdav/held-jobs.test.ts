import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asks, INFINIDYSK, NZBDAV } from '../../../sandbox/index.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import type { JobProgress } from '../../../src/model/index.ts';
import { QUICK, startLab, type WebdavLab } from './lab.ts';

let lab: WebdavLab;
beforeEach(async () => {
  // Nothing of this is about a server that is slow.
  lab = await startLab(NZBDAV, { times: { ...QUICK, submit: 10_000, request: 10_000 } });
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
      expect(stages).toEqual(['queued']);
    },
  );
});

describe('a server that tells why a job waits', () => {
  it.each([
    ['away', 'Could not connect to usenet host. Check connection settings.'],
    ['refuses-login', 'Could not login to usenet host: 481 bad password'],
  ] as const)('is asked, and the person hears it: %s', async (provider, reason) => {
    await lab.close();
    lab = await startLab(INFINIDYSK, { times: { ...QUICK, submit: 10_000, request: 10_000 } });
    // By what it has finished it is known for what it is.
    const other = await lab.backend.submit(lab.film.nzb, 'Sintel-ffff0000', lab.film.request, live());
    const options = { signal: live(), timeout: 5_000, onProgress: () => undefined };
    await lab.backend.waitUntilReady(other, options);
    lab.sandbox.faults.provider = provider;
    const job = await submit();
    const held: (string | undefined)[] = [];
    const onProgress = (progress: JobProgress) => held.push(progress.held);
    const error = await failure(
      lab.backend.waitUntilReady(job, { signal: live(), timeout: 1_000, onProgress }),
    );
    expect(held).toEqual([undefined, reason]);
    expect(error.explanation.what).toBe(
      `InfiniDysk did not begin with the release within 1 seconds ("${reason}").`,
    );
  });

  it('is not asked of nzbdav, which does not know the question', async () => {
    lab.sandbox.faults.provider = 'away';
    const job = await submit();
    const options = { signal: live(), timeout: 400, onProgress: () => undefined };
    await failure(lab.backend.waitUntilReady(job, options));
    expect(lab.sandbox.requests.filter(asks('mode', 'warnings'))).toEqual([]);
  });
});

describe('removing a job that runs', () => {
  it('leaves a running job to a server that takes its time to let go of it', async () => {
    lab.nextJobs('stuck');
    await submit();
    lab.sandbox.faults.deletion = 500;
    const given = new AbortController();
    const removal = lab.backend.remove({ name: NAME }, given.signal).catch(() => 'given up');
    await expect.poll(() => lab.sandbox.requests.filter(asks('name', 'delete'))).toHaveLength(1);
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
