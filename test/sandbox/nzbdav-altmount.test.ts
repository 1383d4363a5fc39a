import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ALTMOUNT,
  CATALOGUE,
  type CatalogueRelease,
  type Dialect,
  type Sandbox,
  startSandbox,
  type Video,
} from '../../sandbox/index.ts';
import { nzbOf } from '../../sandbox/indexer/nzb.ts';
import { client, type Json, named, received } from './support/client.ts';

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
  return await api({ mode: 'addfile', cat: 'Movies', ...parameters }, { method: 'POST', body });
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
    const wrong = { status: 200, body: { status: false, error: 'Invalid API key' } };
    expect(await api({ mode: 'version', apikey: 'x' })).toEqual(wrong);
    const headers = { 'x-api-key': sandbox.backend.apiKey };
    expect(await api({ mode: 'queue', apikey: 'x' }, { headers })).toEqual(wrong);
    expect((await api({ mode: 'queue', apikey: '' })).body['error']).toMatch(/^Authentication required/);
    expect((await api({ mode: 'version' })).body['version']).toBe('4.5.0');
  });

  it('answers every error with 200', async () => {
    const unknown = { status: false, error: 'Unknown mode: get_cats' };
    expect(await api({ mode: 'get_cats' })).toEqual({ status: 200, body: unknown });
    expect((await submit({ cat: 'movies' })).body['error']).toBe(
      "invalid category 'movies' - not found in configuration",
    );
    expect((await submit({}, 'Sintel.txt')).body['status']).toBe(false);
  });

  it('says true and more of its status', async () => {
    const { body } = await api({ mode: 'status' });
    expect(body['status']).toBe(true);
    expect(Object.keys(body).length).toBeGreaterThan(3);
  });

  it('takes the name for the id, and each of two jobs of one name', async () => {
    expect(await idOf({ nzbname: 'Sintel-1' })).toBe('Sintel-1');
    expect(await idOf({})).toMatch(/^[0-9a-f-]{36}$/);
    await idOf({ nzbname: 'Sintel-1' });
    expect(await history({ nzo_ids: 'Sintel-1' })).toHaveLength(1);
    const listing = await (await dav('/webdav/complete/Movies/Sintel-1/', 'PROPFIND', { depth: '1' })).text();
    expect(listing).toContain('Sintel-1/Sintel-1.mkv<');
    expect(listing).toContain('Sintel-1/Sintel-1_1.mkv<');
  });

  it('shows a percentage that is always 50 while it is busy', async () => {
    sandbox.faults.job = { kind: 'stuck', percent: 7 };
    await submit();
    expect((await queue())[0]).toMatchObject({ percentage: '50', status: 'Downloading' });
  });

  it('begins a job with its clock, and lets it be played before it is completed', async () => {
    await sandbox.close();
    sandbox = await startSandbox({ dialect: ALTMOUNT, jobDuration: 900, clock: 600 });
    await submit({ nzbname: 'early' });
    const look = async () => {
      const [slot] = await history({ nzo_ids: 'early' });
      return `${String(slot?.['status'])} ${String(slot?.['storage'])}`;
    };
    const seen = new Set<string>();
    await vi.waitFor(
      async () => {
        const sight = await look();
        seen.add(sight);
        expect(sight).toMatch(/^Completed/);
      },
      { timeout: 10_000, interval: 20 },
    );
    const storage = 'complete/Movies/early';
    expect([...seen]).toEqual(['Unknown ', `Unknown ${storage}`, `Completed ${storage}`]);
  });

  it('says in its queue alone that a person has paused it', async () => {
    await api({ mode: 'pause' });
    await submit({ nzbname: 'waits' });
    expect((await api({ mode: 'queue' })).body['queue']).toMatchObject({ paused: true, status: 'Paused' });
    expect((await history({ nzo_ids: 'waits' }))[0]).toMatchObject({ status: 'Unknown', storage: '' });
    await api({ mode: 'resume' });
    expect((await history({ nzo_ids: 'waits' }))[0]).toMatchObject({ status: 'Completed' });
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
    ['folder', 'complete/Movies/Sintel-1'],
    ['symlink', '/mnt/library/Movies/Sintel-1/Sintel-1.mkv'],
    ['strm', '/mnt/library/Movies/Sintel-1/Sintel-1.strm'],
  ] as const)('names as storage a %s', async (storage, path) => {
    await sandbox.close();
    await start({ ...ALTMOUNT, storage });
    await submit({ nzbname: 'Sintel-1' });
    expect((await history())[0]).toMatchObject({ storage: path, path });
  });
});

describe('the WebDAV share of AltMount', () => {
  const folder = '/webdav/complete/Movies/Sintel-1';
  const file = `${folder}/Sintel-1.mkv`;
  const range = async (value: string, path = file) => {
    const answer = await dav(path, 'GET', { range: value });
    const { bytes, failed } = await received(answer);
    return { status: answer.status, length: answer.headers.get('content-length'), bytes, failed };
  };

  it('has no folder of finished jobs before the first one', async () => {
    expect((await dav('/webdav/', 'PROPFIND', { depth: '1' })).status).toBe(207);
    expect((await dav('/webdav/complete/', 'PROPFIND', { depth: '1' })).status).toBe(404);
    await submit({ nzbname: 'Sintel-1' });
    expect((await dav('/webdav/complete/', 'PROPFIND', { depth: '1' })).status).toBe(207);
  });

  it('lists by paths, and refuses odd depths and the reading of a folder', async () => {
    await submit({ nzbname: 'Sintel-1' });
    expect(await (await dav(folder, 'PROPFIND', { depth: '1' })).text()).toContain(
      `<D:href>${file}</D:href>`,
    );
    expect((await dav('/content/movies', 'PROPFIND', { depth: '0' })).status).not.toBe(207);
    expect((await dav(folder, 'PROPFIND', { depth: '7' })).status).toBe(400);
    expect((await dav(folder, 'GET')).status).toBe(405);
  });

  it('understands ranges inside a file as the standard has them', async () => {
    await submit({ nzbname: 'Sintel-1' });
    expect(await range('bytes=5-9')).toMatchObject({ status: 206, length: '5', failed: false });
    expect(await range('bytes=x')).toMatchObject({ status: 416 });
    expect(await range('bytes=99999999999-')).toMatchObject({ status: 416 });
    expect(await range('bytes=0-0')).toMatchObject({ status: 206 });
  });

  it.each(['bytes=-5', 'bytes=1499999999-1500000000'])(
    'withdraws a healthy file after %s, for good',
    async (harm) => {
      await submit({ nzbname: 'Sintel-1' });
      const harmed = await range(harm);
      expect([harmed.status, harmed.bytes.length, harmed.failed]).toEqual([206, 0, true]);
      const after = await range('bytes=0-15');
      expect([after.status, after.bytes.toString()]).toEqual([
        404,
        'File unavailable due to missing articles\n',
      ]);
      const listing = async (more = {}) =>
        await (await dav(folder, 'PROPFIND', { depth: '1', ...more })).text();
      expect(await listing()).not.toContain('.mkv');
      expect(await listing({ 'x-show-corrupted': 'true' })).toContain('.mkv');
      expect((await dav(file, 'HEAD')).status).toBe(404);
    },
  );

  it('sends zeros for a lost article, and withdraws what has lost more than a few', async () => {
    await submit({ nzbname: 'Sintel-1' });
    const [from, article] = [7_168_000, 716_800];
    sandbox.faults.missing = { from, to: from + article };
    const { bytes } = await range(`bytes=${from}-${from + article - 1}`);
    expect(bytes.equals(Buffer.alloc(article))).toBe(true);
    sandbox.faults.missing = { from, to: from + 5 * article };
    expect((await range(`bytes=${from - 10}-${from - 1}`)).status).toBe(206);
    const cut = await range(`bytes=${from - 10}-${from + 10}`);
    expect([cut.status, cut.bytes.length, cut.failed]).toEqual([206, 10, true]);
    expect((await range('bytes=0-15')).status).toBe(404);
  });
});

describe('the names that AltMount gives', () => {
  const NAMES = ['blue-tower-s01e01.mkv', 'blue-tower-s01e02.mkv', 'blue-tower-s01e03.mkv'];
  const list = async (
    paths: readonly string[],
    more: Partial<CatalogueRelease> = {},
    job = 'Tower.S01-1',
  ) => {
    const videos = paths.map(
      (path): Video => ({
        path,
        container: 'mkv',
        seconds: 60,
        size: 30_000_000,
        ...(path.includes('sample') && { isLoose: true }),
      }),
    );
    const release: CatalogueRelease = {
      ...named(CATALOGUE, NAME),
      guid: '1ab00000-0000-4000-8000-00000000a1b2',
      videos,
      ...more,
    };
    await sandbox.close();
    sandbox = await startSandbox({ dialect: ALTMOUNT, jobDuration: 0, posts: [release] });
    nzb = nzbOf(release);
    await submit({ nzbname: job });
    const text = await (await dav(`/webdav/complete/Movies/${job}/`, 'PROPFIND', { depth: '1' })).text();
    const sizes = [...text.matchAll(/displayname>([^<]*\.mkv)</g)].map(([, name]) => name);
    return { names: sizes, clips: sandbox.clipsOf(job).map((clip) => clip.name) };
  };

  it('are the job, with a number in an order that means nothing, for what has no capitals', async () => {
    const orders = new Set<string>();
    for (let n = 0; n < 8; n++) {
      const { names, clips } = await list(NAMES, {}, `Tower-${n}`);
      expect(names.toSorted()).toEqual([`Tower-${n}.mkv`, `Tower-${n}_1.mkv`, `Tower-${n}_2.mkv`]);
      orders.add(clips.join());
    }
    expect(orders.size).toBeGreaterThan(2);
  });

  it('are kept where they are clear, and there are several', async () => {
    const { names } = await list(['Blue.Tower.S01E01.mkv', 'Blue.Tower.S01E02.mkv', 'c0ffee.mkv']);
    expect(names).toEqual(['Blue.Tower.S01E01.mkv', 'Blue.Tower.S01E02.mkv', 'Tower.S01-1.mkv']);
    expect((await list(['Blue.Tower.S01E01.mkv'])).names).toEqual(['Tower.S01-1.mkv']);
  });

  it('drop a film in volumes beside a sample that has got the name of the job', async () => {
    const rar = { archive: { kind: 'rar' } } as const;
    const { names, clips } = await list(['Blue.Tower.2009.1080p.mkv', 'tower-sample.mkv'], rar);
    expect([names, clips]).toEqual([['Tower.S01-1.mkv'], ['tower-sample.mkv']]);
    expect((await list(['Blue.Tower.2009.1080p.mkv', 'Blue.Tower.Sample.mkv'])).names).toEqual([
      'Blue.Tower.2009.1080p.mkv',
    ]);
  });
});
