import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CANARY, type TransportFault, whenQuery } from '../../../sandbox/index.ts';
import { toNumber } from '../../../src/backends/sabnzbd/schema.ts';
import { webdavBackend } from '../../../src/backends/webdav/index.ts';
import { progressOf } from '../../../src/backends/webdav/progress.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import type { Job } from '../../../src/model/index.ts';
import { serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import { CALM, startLab, type WebdavLab } from './lab.ts';

// Answers in the forms of nzbdav, its relatives and SABnzbd; all values are invented.
let lab: WebdavLab;
beforeEach(async () => {
  lab = await startLab();
});
afterEach(() => lab.close());

const ID = '3f2b8f0e-6f6a-4a0e-9d5e-7f0c2a1b4c5d';
const JOB: Job = { id: ID, name: 'Sintel-0a1b2c3d', category: 'movies' };
const live = () => new AbortController().signal;

/** What the API answers from now on to a mode, other than to its deletions. */
function answers(mode: string, body: unknown, extra: Partial<TransportFault> = {}): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const fault = { kind: 'body', body: text, when: whenQuery('mode', mode), ...extra } as TransportFault;
  lab.sandbox.faults.api.push(fault);
}

const queue = (...slots: unknown[]) => ({ queue: { slots }, status: true, error: null });
const history = (...slots: unknown[]) => ({ history: { slots } });
const completed = (more = {}) => ({
  nzo_id: ID,
  name: JOB.name,
  nzb_name: `${JOB.name}.nzb`,
  category: 'movies',
  status: 'Completed',
  storage: `/mnt/x/completed-symlinks/movies/${JOB.name} (2)`,
  fail_message: '',
  ...more,
});

const submit = () => lab.backend.submit(lab.film.nzb, JOB.name, lab.film.request, live());
const wait = (onProgress: Parameters<typeof lab.backend.waitUntilReady>[1]['onProgress'] = () => undefined) =>
  lab.backend.waitUntilReady(JOB, { signal: live(), timeout: 5_000, onProgress });

async function failure(outcome: Promise<unknown>): Promise<SlipstreamError> {
  const error: unknown = await outcome.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(SlipstreamError);
  return error as SlipstreamError;
}

describe('submitting', () => {
  it('sends the key as a header and keeps it out of the address', async () => {
    await submit();
    const [request] = lab.sandbox.requests;
    expect(request?.headers['x-api-key']).toBe(CANARY.apiKey);
    expect(JSON.stringify([request?.path, request?.query])).not.toContain(CANARY.apiKey);
    expect(request?.query).toMatchObject({ mode: 'addfile', cat: 'movies' });
  });

  it.each([
    ['SABnzbd: plain text and 403', { kind: 'status', status: 403, body: 'API Key Incorrect' }],
    ['SABnzbd with warnings off: 403 and nothing', { kind: 'status', status: 403 }],
    ['nzbdav: JSON and 401', { kind: 'wrong-key' }],
    ['AltMount: JSON and 200', { kind: 'body', body: '{"status":false,"error":"Invalid API key"}' }],
  ])('knows a wrong key from %s', async (_server, fault) => {
    lab.sandbox.faults.api.push(fault as TransportFault);
    const error = await failure(submit());
    expect(error.code).toBe('AUTH_FAILED');
    expect(error.explanation.what).toContain('API key');
    // Where nzbdav would not have answered like this, the server was asked what it is.
    expect(lab.sandbox.requests.filter(whenQuery('mode', 'addfile'))).toHaveLength(1);
    expect(lab.requests()).toBeLessThanOrEqual(4);
  });

  it.each([
    [{ kind: 'body', body: '{"status":false,"error":"Not now","nzo_ids":[]}' }, 'Not now'],
    [
      { kind: 'status', status: 400, body: '{"status":false,"error":"Invalid nzbFile/name param"}' },
      'Invalid nzbFile',
    ],
    [{ kind: 'status', status: 413, body: '<h1>Too large</h1>' }, 'Too large'],
  ])('repeats the words of a refusal', async (fault, words) => {
    lab.sandbox.faults.api.push(fault as TransportFault);
    const error = await failure(submit());
    expect(error.code).toBe('SUBMIT_REFUSED');
    expect(error.explanation.what).toContain(words);
    expect(lab.requests()).toBe(1);
  });

  it('keeps addresses and keys out of those words, and cuts them', async () => {
    const error = `http://indexer.invalid/k3y failed, apikey=k3y, \n${'x'.repeat(9999)}`;
    answers('addfile', { status: false, error });
    const { message, explanation } = await failure(submit());
    expect(message + explanation.what).not.toContain('k3y');
    expect(explanation.what.length).toBeLessThan(300);
  });

  it.each([
    ['an address without an API', { kind: 'status', status: 404 }],
    ['a login page behind a redirect', { kind: 'html' }],
    ['a deeply nested answer', { kind: 'body', body: '['.repeat(1_000_000) }],
    ['an answer without an id', { kind: 'body', body: '{"status":true,"nzo_ids":[]}' }],
  ])('takes %s for no answer', async (_name, fault) => {
    lab.sandbox.faults.api.push(fault as TransportFault);
    expect((await failure(submit())).code).toBe('BAD_ANSWER');
  });

  it('follows no redirect: elsewhere nobody is to know the key', async () => {
    const asked: string[] = [];
    const elsewhere = await serve(({ url = '', headers }, response) => {
      asked.push(url + JSON.stringify(headers));
      response.end('{"status":true,"nzo_ids":["x"]}');
    });
    const moved = await serve(({ url = '' }, response) => {
      response.writeHead(307, { location: `${elsewhere}${url}&apikey=${CANARY.apiKey}` }).end();
    });
    const config = { ...lab.sandbox.backend, apiUrl: moved, movieCategory: '', tvCategory: '' };
    const { submit: send } = webdavBackend(config, memoryLog(), CALM);
    expect((await failure(send(lab.film.nzb, JOB.name, lab.film.request, live()))).code).toBe('BAD_ANSWER');
    expect(asked).toEqual([]);
  });

  it('finds a job in the history whose submission was answered too late', async () => {
    answers('queue', queue());
    answers('history', history({ nzo_id: 'x', name: null }, completed()));
    lab.misbehave('submit', 'reset');
    expect(await submit()).toEqual(JOB);
    expect(lab.sandbox.requests.filter((request) => request.query['mode'] === 'addfile')).toHaveLength(1);
  });

  it('does not send again as long as nobody can say whether the job is there', async () => {
    lab.misbehave('submit', 'unavailable');
    lab.misbehave('wait', 'unavailable');
    expect((await failure(submit())).transient).toBe(true);
    expect(lab.sandbox.requests.filter((request) => request.query['mode'] === 'addfile')).toHaveLength(1);
  });
});

describe('waiting', () => {
  it('reads an answer in which numbers are text, commas are points and others are odd', async () => {
    answers('history', history(), { times: 2 });
    const slot = { nzo_id: ID, filename: `${JOB.name}.nzb`, cat: 'movies', status: 'Downloading' };
    answers('queue', queue(null, 7, { nzo_id: null }, { ...slot, percentage: '0', true_percentage: '99,5' }));
    answers('history', history('odd', {}, completed({ category: null, fail_message: null })));
    const seen: unknown[] = [];
    const finished = await wait((progress) => seen.push(progress));
    expect(seen).toEqual([
      { stage: 'downloading', percent: 99.5 },
      { stage: 'ready', percent: 100 },
    ]);
    expect(finished).toMatchObject({ id: ID, category: 'movies' });
  });

  it('reports a job that stands still only once', async () => {
    answers('history', history(), { times: 4 });
    answers('queue', queue({ nzo_id: ID, status: 'Downloading', percentage: 7 }));
    answers('history', history(completed()));
    const stages: string[] = [];
    await wait(({ stage }) => stages.push(stage));
    expect(stages).toEqual(['downloading', 'ready']);
  });

  it('waits on while SABnzbd still unpacks in its history', async () => {
    answers('history', history(completed({ status: 'Extracting', storage: '' })), { times: 2 });
    answers('history', history(completed()));
    expect((await wait()).storage).toContain('(2)');
  });

  it('asks only the history about what SABnzbd unpacks there', async () => {
    answers('history', history(completed({ status: 'Repairing', storage: '' })), { times: 3 });
    answers('history', history(completed()));
    const stages: string[] = [];
    await wait(({ stage }) => stages.push(stage));
    expect(stages).toEqual(['repairing', 'ready']);
    expect(lab.sandbox.requests.filter(whenQuery('mode', 'queue'))).toEqual([]);
  });

  it('takes a history that is false for no news', async () => {
    answers('history', { history: false }, { times: 9 });
    answers('history', history(completed()));
    expect((await wait()).id).toBe(ID);
  });

  it('sits out errors that come with status 200', async () => {
    answers('history', { status: false, error: 'database is locked' }, { times: 3 });
    answers('history', history(completed()));
    expect((await wait()).id).toBe(ID);
  });

  it('asks once per look, the queue only now and then while it tells nothing', async () => {
    answers('history', history(), { times: 12 });
    answers('history', history(completed()));
    answers('queue', queue({ nzo_id: ID, status: 'Downloading', percentage: '50' }));
    await wait();
    const modes = lab.sandbox.requests.map(({ query }) => query['mode']?.charAt(0)).join('');
    expect(modes).toBe('hhqqhhhqhhhqhhhqhh');
  });

  it('does not take it for lost when it is absent from one look', async () => {
    answers('queue', queue(), { times: 1 });
    answers('queue', queue({ nzo_id: ID, status: 'Downloading' }), { times: 1 });
    answers('queue', queue(), { times: 1 });
    answers('queue', queue({ nzo_id: ID, status: 'Downloading' }));
    answers('history', history(), { times: 6 });
    answers('history', history(completed()));
    expect((await wait()).id).toBe(ID);
  });

  it('waits for the history where the queue goes on showing what is over', async () => {
    answers('queue', queue({ nzo_id: ID, status: 'Completed', percentage: '100' }));
    answers('history', history(), { times: 6 });
    answers('history', history(completed()));
    expect((await wait()).id).toBe(ID);
  });

  it('gives up what the queue calls failed and the history does not know', async () => {
    answers('queue', queue({ nzo_id: ID, status: 'Failed' }));
    answers('history', history());
    expect((await failure(wait())).code).toBe('JOB_FAILED');
  });

  it('never reports a step back, as of a job that is tried again', async () => {
    const slot = { nzo_id: ID, status: 'Downloading', true_percentage: '40' };
    answers('queue', queue(slot), { times: 1 });
    answers('queue', queue({ ...slot, true_percentage: '150', percentage: '50' }), { times: 1 });
    answers('queue', queue({ ...slot, status: 'Queued', true_percentage: '0' }), { times: 1 });
    answers('queue', queue({ ...slot, true_percentage: '20' }));
    answers('history', history(), { times: 4 });
    answers('history', history(completed()));
    const seen: unknown[] = [];
    await wait((progress) => seen.push(progress));
    expect(seen).toEqual([
      { stage: 'downloading', percent: 40 },
      { stage: 'verifying', percent: 50 },
      { stage: 'ready', percent: 100 },
    ]);
  });

  it('takes the name for the folder when the storage is null', async () => {
    answers('history', history(completed({ storage: null })));
    expect((await wait()).storage).toBe(JOB.name);
  });

  it('follows a job that goes under another id, by its unique name', async () => {
    const other = { ...completed(), nzo_id: 'another' };
    answers('queue', queue());
    answers('history', history(other));
    expect(await wait()).toMatchObject({ id: 'another', name: JOB.name });
  });

  it('does not lose a job that moves from the queue to the history between two questions', async () => {
    answers('queue', queue());
    answers('history', history(), { times: 1 });
    answers('history', history(completed()));
    expect((await wait()).id).toBe(ID);
  });

  it.each([
    ['No importable videos found.', 'no video'],
    ['No importable media files found.', 'no video'],
    ['No importable video files were found.', 'no video'],
    ['Article with message-id a.f2p0.d0c1@lab.test not found.', 'no longer complete'],
    [
      'Article with message-id a@post.test not found. Server responded: 430 No such article',
      'no longer complete',
    ],
    [
      "Missing articles: 1 important file(s) have missing segments across all providers (e.g. rar.part03.rar). NZB is likely DMCA'd or expired.",
      'no longer complete',
    ],
    ['Missing rar volumes detected.', 'parts of its archive'],
    ['Only rar files with compression method m0 are supported.', 'packed'],
    ['Only uncompressed 7z files are supported.', 'packed'],
    ['Encrypted 7Zip archive has no password specified.', 'password'],
    ['The password did not match.', 'The password that came with the release does not open it'],
    ...['x.part01.rar', 'duplicate.mkv', 'The.Wrong.Password.2019.mkv', 'encrypted.rar'].map(
      (file): [string, string] => [
        `Missing articles: 1 important file(s) have missing segments across all providers (e.g. ${file}). NZB is likely DMCA'd or expired.`,
        'no longer complete',
      ],
    ),
    ['Duplicate nzb: the download folder for this nzb already exists.', 'duplicate'],
    ['Article with message-id 1@x was not found.', 'no longer complete'],
    ['Missing articles', 'no longer complete'],
    ['Archive is password-protected', 'password'],
    ['Unpacking failed, archive requires a password', 'password'],
    ['Article <1@x> not found in The.Password.2019.part01.rar', 'no longer complete'],
    ['Missing RAR volumes', 'parts of its archive'],
    ['Malformed NZB', 'cannot read the NZB'],
    ['Unsupported compressed rar', 'packed'],
    ['Duplicate nzb: x', 'duplicate'],
    ['Something else <b>happened</b>', 'Something else happened'],
    ['', 'could not get the release ready'],
  ])('says what a failure means: %s', async (fail_message, words) => {
    answers('history', history(completed({ status: 'Failed', storage: null, fail_message })));
    const error = await failure(wait());
    expect(error.code).toBe('JOB_FAILED');
    expect(error.explanation.what).toContain(words);
  });
});

describe('progressOf', () => {
  const slot = { id: ID, name: '', category: '', status: 'downloading', percent: 50, truePercent: undefined };
  it.each([
    [0, 'downloading', 0],
    [50, 'downloading', 50],
    [100, 'downloading', 100],
    [101, 'verifying', 1],
    [150, 'verifying', 50],
    [200, 'verifying', 100],
    [999, 'verifying', 100],
    [-1, 'downloading', 0],
  ])('%d of 200 is %s %d', (truePercent, stage, percent) => {
    expect(progressOf({ ...slot, truePercent }, true)).toEqual({ stage, percent });
  });
  it('falls back to the plain percentage, and to none', () => {
    expect(progressOf(slot, true)).toEqual({ stage: 'downloading', percent: 50 });
    expect(progressOf({ ...slot, percent: undefined }, true)).toEqual({ stage: 'downloading' });
    expect(progressOf({ ...slot, status: 'paused' }, true)).toEqual({ stage: 'queued' });
  });
  it('does not believe a percentage that is a placeholder', () => {
    expect(progressOf(slot, false)).toEqual({ stage: 'downloading' });
  });
  it.each([
    ['propagating', 'queued'],
    ['quickcheck', 'verifying'],
    ['repairing', 'repairing'],
    ['extracting', 'unpacking'],
    ['unknown', 'downloading'],
  ])('%s is %s', (status, stage) => {
    expect(progressOf({ ...slot, status }, true).stage).toBe(stage);
  });
});

describe('toNumber', () => {
  it.each([
    ['12', 12],
    [' 12.5 ', 12.5],
    ['12,5', 12.5],
    ['-3', -3],
    [7, 7],
    ['', undefined],
    ['much', undefined],
    ['1,2,3', undefined],
    [Number.NaN, undefined],
    ['Infinity', undefined],
  ])('%s', (text, value) => {
    expect(toNumber(text)).toBe(value);
  });
});

describe('removing', () => {
  const deletions = () =>
    lab.sandbox.requests
      .filter(whenQuery('name', 'delete'))
      .map(({ query }) => [query['mode'], query['value'], query['del_completed_files']]);

  it('takes the files along, the queue first, also of what the newest of the history do not show', async () => {
    expect(await lab.backend.remove(JOB, live())).toBe('absent');
    expect(deletions()).toEqual([
      ['queue', ID, '1'],
      ['history', ID, '1'],
    ]);
  });

  it('is content when SABnzbd has nothing to delete', async () => {
    const { name } = await submit();
    const refused = (mode: string, body: unknown) => {
      answers(mode, body, {
        when: (request) => whenQuery('mode', mode)(request) && whenQuery('name', 'delete')(request),
      });
    };
    refused('queue', { status: false, nzo_ids: [] });
    // Gone from the history by the time it is asked.
    const finished = completed({ nzo_id: 'SABnzbd_nzo_1', name });
    refused('history', { status: false });
    answers('queue', queue());
    answers('history', history(finished), { times: 1 });
    answers('history', history());
    expect(await lab.backend.remove({ name }, live())).toBe('removed');
    expect(deletions()).toHaveLength(2);
  });

  it('tells when the job is still there though its deletion was not refused', async () => {
    answers('queue', queue({ nzo_id: ID, filename: JOB.name }));
    const error = await failure(lab.backend.remove(JOB, live()));
    expect([error.code, error.transient]).toEqual(['SERVICE_ERROR', false]);
    expect(deletions()).toHaveLength(2);
  });

  it('sees a job that reaches the queue only after it was asked to go', async () => {
    lab.nextJobs('stuck');
    const { name } = await submit();
    answers('queue', queue(), { times: 1 });
    expect(await lab.backend.remove({ name }, live())).toBe('removed');
    expect(lab.jobs()).toEqual([]);
  });
});
