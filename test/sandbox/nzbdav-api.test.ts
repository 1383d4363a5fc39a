import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CATALOGUE,
  INFINIDYSK,
  NZBDAV,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from '../../sandbox/index.ts';
import { type Client, client, named } from './support/client.ts';

const NAME = 'Sintel.2010.1080p.BluRay.DTS.x264-ISHTAR';

let sandbox: Sandbox;
let ask: Client;
let nzb: string;

async function start(options: SandboxOptions): Promise<void> {
  sandbox = await startSandbox(options);
  ask = client(sandbox);
  nzb = await ask.nzb(named(CATALOGUE, NAME).guid);
}
afterEach(() => sandbox.close());

const queue = async (more: Record<string, string> = {}) =>
  (await ask.api({ mode: 'queue', ...more })).body['queue']!['slots']!;
const history = async (more: Record<string, string> = {}) =>
  (await ask.api({ mode: 'history', ...more })).body['history']!['slots']!;

describe('the API of nzbdav 0.6.4', () => {
  beforeEach(() => start({ jobDuration: 0 }));

  it('has no pages at its own port: what is not the API wants the login of its share', async () => {
    const own = await sandbox.openOwnPort();
    const page = await fetch(own);
    expect([page.status, page.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="WebDAV"']);
    const answer = await fetch(`${own}/api?mode=queue`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'keep-alive']);
  });

  it('tells its version to everybody and the rest only to those with the key', async () => {
    const anonymous = async (query: string, headers = {}) => {
      const answer = await fetch(`${sandbox.backend.apiUrl}/api?${query}`, { headers });
      return [answer.status, await answer.json()] as const;
    };
    expect(await anonymous('mode=version')).toEqual([200, { version: '4.5.1', status: true, error: null }]);
    expect(await anonymous('mode=queue')).toEqual([401, { status: false, error: 'API Key Required' }]);
    expect(await anonymous('mode=queue&apikey=x')).toEqual([
      401,
      { status: false, error: 'API Key Incorrect' },
    ]);
    const key = { 'x-api-key': sandbox.backend.apiKey };
    expect((await anonymous('mode=queue&apikey=x', key))[0]).toBe(200);
  });

  it('answers modes it does not have with 400', async () => {
    for (const mode of ['pause', 'retry', 'nonsense'])
      expect(await ask.api({ mode })).toEqual({
        status: 400,
        body: { status: false, error: 'Invalid mode' },
      });
  });

  it('names its categories, its folder and its state', async () => {
    expect((await ask.api({ mode: 'get_cats' })).body['categories']).toContain('movies');
    expect((await ask.api({ mode: 'status' })).body['status']).toBe(true);
    expect((await ask.api({ mode: 'fullstatus' })).body['status']!['completedir']).toMatch(/symlinks$/);
    expect((await ask.api({ mode: 'get_config' })).body['config']!['categories']).toHaveLength(6);
  });

  it('takes a submission under its file name and keeps its id into the history', async () => {
    const id = await ask.submit(nzb, 'My Sintel [1].nzb');
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const [slot] = await history({ nzo_ids: id });
    expect(slot).toMatchObject({
      nzo_id: id,
      name: 'My Sintel [1]',
      category: 'movies',
      nzb_name: 'My Sintel [1].nzb',
      status: 'Completed',
      storage: '/mnt/nzbdav/completed-symlinks/movies/My Sintel [1]',
      fail_message: '',
    });
  });

  it('mounts a duplicate beside the first, under a name of its own', async () => {
    await ask.submit(nzb, `${NAME}.nzb`);
    await ask.submit(nzb, `${NAME}.nzb`);
    const storages = (await history()).map((slot) => slot['storage']);
    expect(storages.map((storage) => String(storage).split('/').at(-1))).toEqual([`${NAME} (2)`, NAME]);
    expect((await history()).map((slot) => slot['name'])).toEqual([NAME, NAME]);
  });

  it('ignores the limit of a history request, and honours the page size', async () => {
    for (const name of ['a', 'b', 'c']) await ask.submit(nzb, `${name}.nzb`);
    expect(await history({ limit: '1' })).toHaveLength(3);
    expect(await history({ pageSize: '1' })).toHaveLength(1);
  });

  it('breaks on ids that are no GUIDs', async () => {
    const id = await ask.submit(nzb, 'a.nzb');
    expect((await ask.api({ mode: 'history', nzo_ids: 'x' })).status).toBe(500);
    for (const value of ['all', 'x', `${id},${id}`])
      expect((await ask.api({ mode: 'queue', name: 'delete', value })).status).toBe(500);
  });

  it('deletes finished jobs, and their files only by its own parameter', async () => {
    const first = await ask.submit(nzb, 'first.nzb');
    const second = await ask.submit(nzb, 'second.nzb');
    await ask.api({ mode: 'history', name: 'delete', value: first, del_files: '1' });
    await ask.api({ mode: 'history', name: 'delete', value: second, del_completed_files: '1' });
    expect(await history()).toEqual([]);
    expect(
      (await ask.dav('/content/movies/first', { method: 'PROPFIND', headers: { depth: '0' } })).status,
    ).toBe(207);
    expect(
      (await ask.dav('/content/movies/second', { method: 'PROPFIND', headers: { depth: '0' } })).status,
    ).toBe(404);
  });

  it('fails what has dead articles, a password or no files, with a message and null for its storage', async () => {
    const gone = named(CATALOGUE, 'Big.Buck.Bunny.2008.1080p.BluRay.REMUX.AVC-GONE');
    const locked = named(CATALOGUE, 'Big.Buck.Bunny.2008.1080p.BluRay.x264-LOCKED');
    await ask.submit(await ask.nzb(gone.guid), 'gone.nzb');
    await ask.submit(await ask.nzb(locked.guid), 'locked.nzb');
    await ask.submit('<nzb></nzb>', 'empty.nzb');
    const [empty, password, dead] = await history();
    expect(dead).toMatchObject({ status: 'Failed', storage: null });
    expect(dead?.['fail_message']).toContain('not found');
    expect(password?.['fail_message']).toBe('Encrypted 7Zip archive has no password specified.');
    expect(empty?.['fail_message']).toBe('No importable videos found.');
  });

  it('takes an archive password out of the file name, and goes on showing it there', async () => {
    const locked = await ask.nzb(named(CATALOGUE, 'Big.Buck.Bunny.2008.1080p.BluRay.x264-LOCKED').guid);
    await ask.submit(locked, 'Bunny{{nobody knows}}.nzb');
    await ask.submit(locked, 'Bunny2 password=wrong.nzb');
    const [wrong, right] = await history();
    expect(right).toMatchObject({
      name: 'Bunny',
      nzb_name: 'Bunny{{nobody knows}}.nzb',
      status: 'Completed',
    });
    expect(wrong).toMatchObject({ name: 'Bunny2', fail_message: 'The password did not match.' });
  });

  it('refuses what is no NZB with 500, and odd parameters with 400', async () => {
    const post = async (parameters: string, content: string) => {
      const body = new FormData();
      body.append('nzbfile', new Blob([content]), 'x.nzb');
      const url = `${sandbox.backend.apiUrl}/api?mode=addfile&apikey=${sandbox.backend.apiKey}${parameters}`;
      return (await fetch(url, { method: 'POST', body })).status;
    };
    for (const broken of ['', 'no XML', '<nzb><file>', '<nzb>a & b</nzb>'])
      expect(await post('', broken)).toBe(500);
    expect(await post('', '<html></html>')).toBe(200);
    expect(await post('&priority=7', nzb)).toBe(400);
    expect(await post('&pp=4', nzb)).toBe(400);
    expect(await post('&priority=-3&pp=3', nzb)).toBe(200);
  });
});

describe('the queue of nzbdav 0.6.4', () => {
  it('can let the percentage wrap and the numbers have commas, below zero during the check', async () => {
    await start({ dialect: { ...NZBDAV, checksArticles: true, decimalComma: true } });
    sandbox.faults.job = { kind: 'stuck', percent: 75 };
    await ask.submit(nzb, 'a.nzb');
    const [slot] = await queue();
    expect(slot).toMatchObject({ filename: 'a.nzb', status: 'Downloading', timeleft: '0:0:0:0' });
    expect([slot?.['percentage'], slot?.['true_percentage']]).toEqual(['50', '150']);
    expect(slot?.['mb']).toMatch(/^\d+,\d\d$/);
    expect(slot?.['mbleft']).toMatch(/^-\d+,\d\d$/);
  });

  it('runs one job at a time and shows it even past the category filter', async () => {
    await start({});
    sandbox.faults.job = { kind: 'stuck', percent: 10 };
    await ask.submit(nzb, 'film.nzb', 'movies');
    await ask.submit(nzb, 'episode.nzb', 'tv');
    const seen = (await queue({ category: 'tv' })).map((slot) => [slot['filename'], slot['status']]);
    expect(seen).toEqual([
      ['film.nzb', 'Downloading'],
      ['episode.nzb', 'Queued'],
    ]);
  });

  it('gives each job its own time, one after the other', async () => {
    await start({ jobDuration: 100 });
    for (const name of ['first', 'second']) await ask.submit(nzb, `${name}.nzb`);
    await expect.poll(() => sandbox.queueLength()).toBe(0);
    const [second, first] = sandbox.jobs();
    expect(second!.finished! - first!.finished!).toBeGreaterThanOrEqual(100);
  });

  it('goes from queue to history without a moment in neither', async () => {
    await start({ jobDuration: 150 });
    const id = await ask.submit(nzb, 'a.nzb');
    const percents: string[] = [];
    for (;;) {
      const [finished] = await history({ nzo_ids: id });
      const jobs = sandbox.jobs();
      expect(jobs).toHaveLength(1);
      if (finished !== undefined) break;
      percents.push(...(await queue()).map((slot) => String(slot['true_percentage'])));
    }
    expect(percents.map(Number)).toEqual(percents.map(Number).toSorted((a, b) => a - b));
  });

  it('forgets a deleted job, and goes on with the next', async () => {
    await start({ jobDuration: 50 });
    sandbox.faults.job = { kind: 'stuck', percent: 10 };
    const stuck = await ask.submit(nzb, 'stuck.nzb');
    sandbox.faults.job = undefined;
    await ask.submit(nzb, 'next.nzb');
    expect(await ask.api({ mode: 'queue', name: 'delete', value: stuck })).toMatchObject({ status: 200 });
    await expect.poll(async () => (await history()).map((slot) => slot['name'])).toEqual(['next']);
    expect(sandbox.queueLength()).toBe(0);
  });

  it('can lose a job altogether, fail it with a given message, or refuse it', async () => {
    await start({ jobDuration: 0 });
    sandbox.faults.job = { kind: 'vanishes' };
    await ask.submit(nzb, 'vanishing.nzb');
    expect(sandbox.jobs()).toEqual([]);
    sandbox.faults.job = { kind: 'fails', message: 'Missing RAR volumes.' };
    await ask.submit(nzb, 'failing.nzb');
    expect((await history())[0]).toMatchObject({ status: 'Failed', fail_message: 'Missing RAR volumes.' });
    sandbox.faults.submit = { error: 'Queue is full (100).', status: 200 };
    const form = new FormData();
    form.append('nzbfile', new Blob([nzb]), 'x.nzb');
    const url = `${sandbox.backend.apiUrl}/api?mode=addfile&apikey=${sandbox.backend.apiKey}`;
    const answer = await fetch(url, { method: 'POST', body: form });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: false, error: 'Queue is full (100).', nzo_ids: [] },
    ]);
  });
});

describe('the API of InfiniDysk', () => {
  beforeEach(() => start({ jobDuration: 0, dialect: INFINIDYSK }));

  it('differs where it is known to', async () => {
    expect((await ask.api({ mode: 'status' })).body['status']).toHaveProperty('completedir');
    expect((await ask.api({ mode: 'get_cats' })).body['categories']![0]).toBe('*');
    const ids = [await ask.submit(nzb, 'a.nzb'), await ask.submit(nzb, 'b.nzb')];
    expect(await history({ limit: '1' })).toHaveLength(2);
    expect((await history())[0]).toHaveProperty('completed');
    expect((await ask.api({ mode: 'history', name: 'delete', value: ids.join(',') })).status).toBe(200);
    expect(await history()).toEqual([]);
  });

  it('does not let the percentage wrap', async () => {
    sandbox.faults.job = { kind: 'stuck', percent: 75 };
    await ask.submit(nzb, 'a.nzb');
    const [slot] = await queue();
    expect(slot?.['percentage']).toBe('75');
    expect(slot?.['mb']).toMatch(/^\d+\.\d\d$/);
  });

  it('lets a submission replace the waiting one of the same file name and category', async () => {
    sandbox.faults.job = { kind: 'stuck', percent: 10 };
    const first = await ask.submit(nzb, 'a.nzb');
    await ask.submit(nzb, 'a.nzb', 'tv');
    const second = await ask.submit(nzb, 'a.nzb');
    expect((await queue()).map((slot) => slot['nzo_id'])).not.toContain(first);
    expect((await queue()).map((slot) => slot['nzo_id'])).toContain(second);
    expect(await queue({ cat: 'movies' })).toHaveLength(2);
    expect(await history({ nzo_ids: first })).toEqual([]);
  });

  it('refuses a submission to a full queue with status 200', async () => {
    sandbox.faults.submit = { error: 'Queue is full (100)', status: 200 };
    const answer = await ask.api({ mode: 'addfile' });
    expect(answer).toMatchObject({
      status: 200,
      body: { status: false, error: 'Queue is full (100)', nzo_ids: [] },
    });
  });
});
