import { expect, onTestFinished, test, vi } from 'vitest';
import { startDirectStream, WEBDAV_LOGIN } from '../../../sandbox/direct-stream/index.ts';
import { whenMethod, whenQuery } from '../../../sandbox/index.ts';
import { directStreamBackend } from '../../../src/backends/direct-stream/index.ts';
import { memoryLog } from '../../support/log.ts';
import { FILM, FILM_RELEASE } from '../labs.ts';
import { CALM, judgedNzbFor } from './lab.ts';

/** AltMount's share as protocols.md §2.10 and §8.12 describe it. */
const KEY = 'key-4e11d0';
const NAME = 'Big.Buck.Bunny.2008-0a1b2c3d';
const OTHER = 'Big.Buck.Bunny.2008-0a1b2c3e';
const live = () => new AbortController().signal;

async function setUp(webdav: { username: string; password: string } | undefined = WEBDAV_LOGIN) {
  const sandbox = await startDirectStream('altmount', { apiKey: KEY, jobDuration: 20 });
  onTestFinished(() => sandbox.close());
  const log = memoryLog();
  const config = { kind: 'altmount', url: sandbox.url, apiKey: KEY, via: 'player', webdav } as const;
  const backend = directStreamBackend(config, log, CALM);
  /** An order that fails, as it is left. */
  const fails = async (name = NAME) => {
    sandbox.faults.job = { kind: 'fails', message: 'no files were successfully processed' };
    const job = await backend.submit(await judgedNzbFor(FILM_RELEASE), name, FILM, live());
    const options = { signal: live(), timeout: 2_000, onProgress: () => undefined };
    await expect(backend.waitUntilReady(job, options)).rejects.toThrow();
    expect(await left()).toContain(name);
    return job;
  };
  const left = async () => {
    const { username, password } = WEBDAV_LOGIN;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const headers = { authorization, depth: '1' };
    const answer = await fetch(`${sandbox.url}/webdav/complete/stremio/`, { method: 'PROPFIND', headers });
    return answer.text();
  };
  const deletions = () => sandbox.requests.filter(whenMethod('DELETE')).map(({ path }) => path);
  return { sandbox, backend, log, fails, left, deletions };
}

test('what a failed order leaves in the share goes with it, and nothing else', async () => {
  const { backend, fails, left, deletions } = await setUp();
  await fails(OTHER);
  await backend.remove(await fails(), live());
  expect(deletions()).toEqual([`/webdav/complete/stremio/${NAME}/`]);
  expect(await left()).not.toContain(NAME);
  expect(await left()).toContain(OTHER);
});

test('also where the queue of AltMount cannot be asked', async () => {
  const { sandbox, backend, fails, deletions } = await setUp();
  const job = await fails();
  const isQueue = ({ path }: { path: string }) => path === '/sabnzbd/api';
  sandbox.faults.api.push({ kind: 'status', status: 404, when: isQueue });
  expect(await backend.remove(job, live())).toBe('absent');
  expect(deletions()).toEqual([`/webdav/complete/stremio/${NAME}/`]);
});

const isConfig = whenQuery('mode', 'get_config');

test.each([
  ['refuses the key for it', 403, '{"status":false,"error":"API Key Incorrect"}'],
  ['is kept from it by a login page', 403, '<html>Log in</html>'],
  ['objects to it', 400, '{"status":false,"error":"unknown mode"}'],
  ['answers it with what is no JSON', 200, '<html>It works</html>'],
])('also where AltMount does not tell its folders: it %s', async (_, status, body) => {
  const { sandbox, backend, log, fails, deletions } = await setUp();
  const job = await fails();
  sandbox.faults.api.push({ kind: 'status', status, body, when: isConfig });
  expect(await backend.remove(job, live())).toBe('removed');
  expect(deletions()).toEqual([`/webdav/complete/stremio/${NAME}/`]);
  expect(log.lines.join('\n')).toContain('AltMount does not tell its folders');
  expect(log.lines.join('\n')).not.toContain(KEY);
});

test('while AltMount is busy nothing is deleted, and the removal is tried again', async () => {
  const { sandbox, backend, fails, deletions } = await setUp();
  const job = await fails();
  sandbox.faults.api.push({ kind: 'status', status: 503, times: 1, when: isConfig });
  await expect(backend.remove(job, live())).rejects.toMatchObject({ transient: true });
  expect(deletions()).toEqual([]);
  await backend.remove(job, live());
  expect(deletions()).toEqual([`/webdav/complete/stremio/${NAME}/`]);
});

test('a removal that is given up while the folders are asked for deletes nothing', async () => {
  const { sandbox, backend, log, fails, deletions } = await setUp();
  const job = await fails();
  sandbox.faults.api.push({ kind: 'hang', when: isConfig });
  const giveUp = new AbortController();
  const removal = backend.remove(job, giveUp.signal);
  await vi.waitFor(() => {
    expect(sandbox.requests.some(isConfig)).toBe(true);
  });
  giveUp.abort(new Error('given up'));
  await expect(removal).rejects.toThrow('given up');
  expect(deletions()).toEqual([]);
  expect(log.lines.join('\n')).not.toContain('does not tell its folders');
});

test('a folder whose name is not one of ours alone stays', async () => {
  const { backend, fails, left, deletions } = await setUp();
  await backend.remove(await fails('Big.Buck.Bunny.2008'), live());
  expect(deletions()).toEqual([]);
  expect(await left()).toContain('Big.Buck.Bunny.2008');
});

test.each([
  ['a password', { password: '' }],
  ['a user', { username: '' }],
])('nothing is deleted, and the share not tried, without %s', async (_, missing) => {
  const { backend, fails, deletions } = await setUp({ ...WEBDAV_LOGIN, ...missing });
  await backend.remove(await fails(), live());
  expect(deletions()).toEqual([]);
  expect((await backend.test(live())).map(({ what }) => what)).not.toContain('The WebDAV of AltMount');
});

test('a share that does not let us in keeps them: the job is removed, and the log tells', async () => {
  const { backend, log, fails, left } = await setUp({ ...WEBDAV_LOGIN, password: 'wr0ng' });
  expect(await backend.remove(await fails(), live())).toBe('removed');
  expect(await left()).toContain(NAME);
  expect(log.lines.join('\n')).toContain(`keeps the files of ${NAME}`);
  expect(log.lines.join('\n')).not.toContain('wr0ng');
});

test('the connection test tries the login, and only notes that it is wrong', async () => {
  const good = await (await setUp()).backend.test(live());
  expect(good.at(-1)).toEqual({
    what: 'The WebDAV of AltMount',
    found: 'takes the user and password',
  });
  const wrong = (await (await setUp({ ...WEBDAV_LOGIN, password: 'wrong' })).backend.test(live())).at(-1);
  expect(wrong).toMatchObject({ isNote: true, setting: 'direct_webdav_password' });
  expect(wrong?.failure?.explanation).toEqual({
    what: 'The WebDAV of AltMount refused the user or password.',
    next: 'Copy both from the settings of AltMount, WebDAV; the password is not the API key. Enter both in the settings of Slipstream (Backends).',
  });
  const { sandbox, backend } = await setUp();
  sandbox.faults.api.push({ kind: 'status', status: 404, when: whenMethod('PROPFIND') });
  expect((await backend.test(live())).at(-1)).toMatchObject({
    isNote: true,
    failure: { code: 'BAD_ANSWER' },
  });
});
