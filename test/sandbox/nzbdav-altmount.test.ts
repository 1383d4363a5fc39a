import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALTMOUNT, CATALOGUE, type Dialect, type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { client, type Json, named } from './support/client.ts';

const NAME = 'Sintel.2010.1080p.BluRay.DTS.x264-ISHTAR';

let sandbox: Sandbox;
let nzb: string;

async function start(dialect: Dialect, jobDuration = 0): Promise<void> {
  sandbox = await startSandbox({ dialect, jobDuration });
  nzb = await client(sandbox).nzb(named(CATALOGUE, NAME).guid);
}
beforeEach(() => start(ALTMOUNT));
afterEach(() => sandbox.close());

async function api(parameters: Record<string, string>, init: RequestInit = {}) {
  const query = new URLSearchParams({ apikey: sandbox.backend.apiKey, ...parameters });
  const answer = await fetch(`${sandbox.backend.apiUrl}/sabnzbd/api?${query.toString()}`, init);
  return { status: answer.status, body: (await answer.json()) as Json };
}

async function submit(parameters: Record<string, string> = {}, filename = 'Sintel.nzb') {
  const body = new FormData();
  body.append('nzbfile', new Blob([nzb]), filename);
  return await api({ mode: 'addfile', cat: 'movies', ...parameters }, { method: 'POST', body });
}

const idOf = async (parameters: Record<string, string>) => (await submit(parameters)).body['nzo_ids']![0]!;
const queue = async (more = {}) => (await api({ mode: 'queue', ...more })).body['queue']!['slots']!;
const history = async (more = {}) => (await api({ mode: 'history', ...more })).body['history']!['slots']!;

function dav(path: string, method: string, headers: Record<string, string> = {}) {
  const { webdavUrl, username, password } = sandbox.backend;
  const login = Buffer.from(`${username}:${password}`).toString('base64');
  return fetch(webdavUrl + path, { method, headers: { authorization: `Basic ${login}`, ...headers } });
}

describe('the API of AltMount', () => {
  it('is at /sabnzbd/api only', async () => {
    const answer = await fetch(`${sandbox.backend.apiUrl}/api?mode=version`);
    expect(answer.headers.get('content-type')).toContain('html');
  });

  it('wants the key for everything, as a parameter', async () => {
    const wrong = { status: 200, body: { status: false, error: 'API Key Incorrect' } };
    expect(await api({ mode: 'version', apikey: '' })).toEqual(wrong);
    const headers = { 'x-api-key': sandbox.backend.apiKey };
    expect(await api({ mode: 'queue', apikey: 'x' }, { headers })).toEqual(wrong);
    expect((await api({ mode: 'version' })).body['version']).toBe('4.5.0');
  });

  it('answers every error with 200', async () => {
    expect(await api({ mode: 'pause' })).toEqual({
      status: 200,
      body: { status: false, error: 'Unknown mode' },
    });
    expect((await submit({ cat: 'films' })).body['error']).toBe('Invalid category: films');
    expect((await submit({}, 'Sintel.txt')).body['status']).toBe(false);
  });

  it('says true and more of its status', async () => {
    const { body } = await api({ mode: 'status' });
    expect(body['status']).toBe(true);
    expect(Object.keys(body).length).toBeGreaterThan(3);
  });

  it('takes the name for the id, and one name for one job', async () => {
    expect(await idOf({ nzbname: 'Sintel-1' })).toBe('Sintel-1');
    expect(await idOf({})).toMatch(/^[0-9a-f-]{36}$/);
    sandbox.faults.job = { kind: 'stuck', percent: 10 };
    await idOf({ nzbname: 'Sintel-2' });
    await idOf({ nzbname: 'Sintel-2' });
    expect(sandbox.queueLength()).toBe(1);
  });

  it('shows a percentage that is always 50 while it is busy', async () => {
    sandbox.faults.job = { kind: 'stuck', percent: 7 };
    await submit();
    expect((await queue())[0]).toMatchObject({ percentage: '50', status: 'Downloading' });
  });

  it('shows in the queue for a moment what is over', async () => {
    await submit();
    expect((await queue())[0]).toMatchObject({ status: 'Completed' });
    await expect.poll(queue).toEqual([]);
  });

  it('has no status beside its history', async () => {
    expect((await api({ mode: 'history' })).body).not.toHaveProperty('status');
    expect((await api({ mode: 'queue' })).body['status']).toBe(true);
  });

  it('takes categories in any case, and some of their names for all of them', async () => {
    await submit();
    for (const category of ['MOVIES', 'all', '*', 'Default'])
      expect(await history({ category })).toHaveLength(1);
    expect(await history({ cat: 'tv' })).toEqual([]);
  });

  it('shows a hundred at a time', async () => {
    for (let n = 0; n < 101; n++) await submit({ nzbname: `Sintel-${n}` });
    expect(await history()).toHaveLength(100);
    expect(await history({ limit: '1000' })).toHaveLength(101);
  });

  it('deletes one job, and says so of any', async () => {
    await submit({ nzbname: 'a' });
    await submit({ nzbname: 'b' });
    const deletion = (value: string) => api({ mode: 'history', name: 'delete', value });
    expect((await deletion('a,b')).body['status']).toBe(true);
    expect(await history()).toHaveLength(2);
    await deletion('a');
    expect((await history()).map((slot) => slot['nzo_id'])).toEqual(['b']);
  });

  it.each([
    ['folder', '/mnt/altmount/complete/movies/Sintel-1'],
    ['symlink', `/mnt/library/movies/Sintel-1/${NAME}.mkv`],
    ['strm', `/mnt/library/movies/Sintel-1/${NAME}.strm`],
  ] as const)('names as storage a %s', async (storage, path) => {
    await sandbox.close();
    await start({ ...ALTMOUNT, storage });
    await submit({ nzbname: 'Sintel-1' });
    expect((await history())[0]).toMatchObject({ storage: path, path });
  });
});

describe('the WebDAV share of AltMount', () => {
  const folder = '/webdav/complete/movies/Sintel-1';
  beforeEach(() => submit({ nzbname: 'Sintel-1' }));

  it('is at /webdav, lists by paths, in the folders that its settings name', async () => {
    const answer = await dav(folder, 'PROPFIND', { depth: '1' });
    expect(await answer.text()).toContain(`<D:href>${folder}/${NAME}.mkv</D:href>`);
    expect((await dav('/webdav/complete/shows', 'PROPFIND', { depth: '0' })).status).toBe(207);
    expect((await dav('/content/movies', 'PROPFIND', { depth: '0' })).status).toBe(404);
    expect((await api({ mode: 'get_config' })).body['config']!['misc']!['complete_dir']).toBe('/complete');
  });

  it('refuses odd depths and the reading of a folder', async () => {
    expect((await dav(folder, 'PROPFIND', { depth: '7' })).status).toBe(400);
    expect((await dav(folder, 'GET')).status).toBe(405);
  });

  it('understands ranges as the standard has them', async () => {
    const file = `${folder}/${NAME}.mkv`;
    const range = async (value: string) => {
      const answer = await dav(file, 'GET', { range: value });
      await answer.body?.cancel();
      return [answer.status, answer.headers.get('content-length')];
    };
    expect((await range('bytes=0-'))[0]).toBe(206);
    expect(await range('bytes=-5')).toEqual([206, '5']);
    expect((await range('bytes=x'))[0]).toBe(416);
    expect((await range('bytes=99999999999-'))[0]).toBe(416);
  });
});
