import { afterEach, describe, expect, it } from 'vitest';
import { type Dialect, INFINIDYSK, NZBDAV, whenQuery } from '../../../sandbox/index.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { startLab, type WebdavLab } from './lab.ts';

let lab: WebdavLab;
afterEach(() => lab.close());

const NAME = 'Sintel-0a1b2c3d';
const live = () => new AbortController().signal;
const fresh = async (dialect: Dialect) => (lab = await startLab(dialect));
const submit = (text?: string) => {
  const { nzb, request } = lab.film;
  const bytes = text === undefined ? nzb.bytes : new Uint8Array(Buffer.from(text));
  return lab.backend.submit({ ...nzb, bytes }, NAME, request, live());
};
const submissions = () => lab.sandbox.requests.filter(whenQuery('mode', 'addfile'));

async function failure(outcome: Promise<unknown>): Promise<SlipstreamError> {
  const error: unknown = await outcome.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(SlipstreamError);
  return error as SlipstreamError;
}

describe('an NZB that nzbdav cannot read', () => {
  it.each([
    ['this is not XML', 'Data at the root level is invalid. Line 1, position 1.'],
    ['', 'Root element is missing.'],
  ])('is refused at once, in its words: %s', async (text, words) => {
    await fresh(NZBDAV);
    const error = await failure(submit(text));
    expect([error.code, error.transient, error.explanation.what]).toEqual([
      'SUBMIT_REFUSED',
      false,
      `nzbdav refused the request ("${words}").`,
    ]);
    // Nothing was taken, so nothing is looked for.
    expect(lab.requests()).toBe(1);
  });
});

describe('a name that waits at nzbdav already', () => {
  it('is the job that was submitted before', async () => {
    await fresh(NZBDAV);
    lab.nextJobs('stuck');
    const first = await submit();
    expect((await submit()).id).toBe(first.id);
    expect(lab.jobs()).toEqual([NAME]);
  });
});

describe('a full queue', () => {
  it('is no fault of the release: no other one would be taken', async () => {
    await fresh(INFINIDYSK);
    lab.sandbox.faults.queueLimit = 0;
    const { code, transient, explanation } = await failure(submit());
    expect([code, transient, explanation]).toEqual([
      'SERVICE_ERROR',
      false,
      {
        what: 'The queue of nzbdav is full.',
        next: 'Remove what waits in nzbdav, or let its queue be longer there, then try again.',
      },
    ]);
    expect(submissions()).toHaveLength(1);
  });
});

describe.each([
  ['nzbdav', NZBDAV],
  ['InfiniDysk', INFINIDYSK],
])('the front end of %s alone', (_name, dialect) => {
  const alone = {
    what: 'The pages of nzbdav answer, but its backend does not run.',
    next: 'Wait if nzbdav is just starting; else look at its log and start it again.',
  };

  it('is told as what it is, and is no refusal of the release', async () => {
    await fresh(dialect);
    lab.sandbox.faults.gateway = 'alone';
    const error = await failure(submit());
    expect([error.code, error.transient, error.explanation]).toEqual(['SERVICE_ERROR', true, alone]);
    expect(submissions()).toHaveLength(1);
  });

  it('is told where the list of what is finished, or a folder, is asked for', async () => {
    await fresh(dialect);
    lab.sandbox.faults.gateway = 'alone';
    expect((await failure(lab.backend.finishedJobs(live()))).explanation).toEqual(alone);
    expect((await failure(lab.backend.preflight!(live()))).explanation).toEqual(alone);
  });

  it('is told by the connection test', async () => {
    await fresh(dialect);
    lab.sandbox.faults.gateway = 'alone';
    const [api] = await lab.backend.test(live());
    expect(api?.failure?.explanation).toEqual(alone);
  });
});

describe('a proxy that gave up waiting', () => {
  it('says nothing about the server behind it', async () => {
    await fresh(NZBDAV);
    lab.sandbox.faults.api.push({ kind: 'status', status: 504, body: '<h1>504 Gateway Time-out</h1>' });
    const { explanation } = await failure(lab.backend.finishedJobs(live()));
    expect(explanation.what).toBe('nzbdav has a problem of its own.');
  });
});
