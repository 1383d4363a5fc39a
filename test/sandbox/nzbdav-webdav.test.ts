import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  CATALOGUE,
  type Clip,
  type Dialect,
  INFINIDYSK,
  NZBDAV,
  noFaults,
  type Sandbox,
  startSandbox,
} from '../../sandbox/index.ts';
import { type Client, client, named, received } from './support/client.ts';

const FILM = 'Big.Buck.Bunny.2008.1080p.BluRay.x264-MEADOW';
const PACK = 'Caminandes.S01.1080p.WEB-DL.x264-PACKED';
const FOLDER = '/content/movies/Film & co. (1)';

/** A sandbox with a finished film and a finished season pack. */
async function filled(dialect: Dialect): Promise<Sandbox> {
  const sandbox = await startSandbox({ jobDuration: 0, dialect });
  const ask = client(sandbox);
  await ask.submit(await ask.nzb(named(CATALOGUE, FILM).guid), 'Film & co. (1).nzb');
  await ask.submit(await ask.nzb(named(CATALOGUE, PACK).guid), `${PACK}.nzb`, 'tv');
  return sandbox;
}

let sandbox: Sandbox;
let ask: Client;
let clip: Clip;
let path: string;

function describeDialect(name: string, dialect: Dialect, tests: () => void): void {
  describe(name, () => {
    beforeAll(async () => {
      sandbox = await filled(dialect);
      ask = client(sandbox);
      clip = sandbox.clipsOf('Film & co. (1)')[0]!;
      path = `${FOLDER.split('/').map(encodeURIComponent).join('/')}/${clip.name}`;
    });
    afterEach(() => {
      Object.assign(sandbox.faults, noFaults());
    });
    afterAll(() => sandbox.close());
    tests();
  });
}

/** Status, Content-Range and the first bytes that come. */
async function get(range?: string, more: Record<string, string> = {}) {
  const controller = new AbortController();
  const headers = { ...(range === undefined ? {} : { range }), ...more };
  const answer = await ask.dav(path, { headers, signal: controller.signal });
  const first = answer.ok ? await answer.body!.getReader().read() : undefined;
  controller.abort();
  return {
    status: answer.status,
    contentRange: answer.headers.get('content-range'),
    length: Number(answer.headers.get('content-length')),
    first: Buffer.from((first?.value as Uint8Array | undefined) ?? []),
  };
}

const propfind = (at: string, depth?: string) =>
  ask.dav(at, { method: 'PROPFIND', headers: depth === undefined ? {} : { depth } });

describeDialect('the WebDAV share of nzbdav 0.6.4', NZBDAV, () => {
  it('wants the right password, and the scheme spelled exactly', async () => {
    const good = Buffer.from(`admin:${sandbox.backend.password}`).toString('base64');
    for (const authorization of ['', `basic ${good}`, `Basic ${Buffer.from('admin:x').toString('base64')}`]) {
      const answer = await fetch(`${sandbox.backend.webdavUrl}/content/`, {
        method: 'PROPFIND',
        headers: { authorization, depth: '0' },
      });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    }
    expect((await fetch(sandbox.backend.webdavUrl, { method: 'OPTIONS' })).status).toBe(200);
  });

  it('lists a folder by absolute addresses of a host that nobody reaches', async () => {
    const answer = await propfind(encodeURI(FOLDER), '1');
    const hrefs = [...(await answer.text()).matchAll(/<D:href>([^<]*)/g)].map(([, href]) => href);
    expect(answer.status).toBe(207);
    const folder = 'http://localhost:8080/content/movies/Film%20&amp;%20co.%20(1)';
    expect(hrefs).toEqual([folder, `${folder}/${clip.name}`]);
  });

  it('tells size and kind of what it lists', async () => {
    const text = await (await propfind(path, '0')).text();
    expect(text).toContain(`<D:getcontentlength>${clip.size}</D:getcontentlength>`);
    expect(text).toContain('<D:resourcetype><D:item /></D:resourcetype>');
  });

  it('goes to the bottom without a depth, and never comes back from the root', async () => {
    expect(await (await propfind('/content')).text()).toContain('S01E03');
    const answer = ask.dav('/', { method: 'PROPFIND', signal: AbortSignal.timeout(200) });
    await expect(answer).rejects.toThrow();
  });

  it('lists a season pack with all its episodes', async () => {
    const text = await (await propfind(`/content/tv/${PACK}`, '1')).text();
    expect([...text.matchAll(/S01E0\d[^<]*<\/D:displayname>/g)]).toHaveLength(3);
  });

  it('answers 404 to what it does not have, and its login page to what is no share', async () => {
    expect((await propfind('/content/movies/nothing', '1')).status).toBe(404);
    expect((await ask.dav('/content/movies/nothing/x.mkv')).status).toBe(404);
    expect((await ask.dav('/')).status).toBe(302);
  });

  it('serves the right bytes to every ordinary range', async () => {
    const { size } = clip;
    for (const [start, end] of [
      [0, 1],
      [1, 100],
      [500_000_000, 500_100_000],
      [size - 1, size],
    ] as const) {
      const answer = await ask.dav(path, { headers: { range: `bytes=${start}-${end - 1}` } });
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`);
      expect(Buffer.compare((await received(answer)).bytes, clip.read(start, end))).toBe(0);
    }
  });

  it('answers a range over the whole file with 200 and a Content-Range', async () => {
    const range = `bytes 0-${clip.size - 1}/${clip.size}`;
    for (const whole of ['bytes=0-', `bytes=0-${clip.size - 1}`, `bytes=0-${clip.size + 5}`])
      expect(await get(whole)).toMatchObject({ status: 200, contentRange: range, length: clip.size });
    expect(await get()).toMatchObject({ status: 200, contentRange: null, length: clip.size });
  });

  it('takes a suffix for a prefix', async () => {
    const answer = await get('bytes=-500');
    expect(answer).toMatchObject({ status: 206, contentRange: `bytes 0-500/${clip.size}`, length: 501 });
    expect(Buffer.compare(answer.first, clip.read(0, 501))).toBe(0);
  });

  it('breaks on ranges it does not understand, and refuses those beyond the end', async () => {
    for (const range of ['bytes=x', 'bytes=-', 'seconds=0-']) expect((await get(range)).status).toBe(500);
    for (const range of [`${clip.size}-`, `${clip.size + 1}-`, '20-10'])
      expect(await get(`bytes=${range}`)).toMatchObject({
        status: 416,
        contentRange: `bytes */${clip.size}`,
      });
  });

  it('takes an If-Range that is no date for a changed file', async () => {
    expect((await get('bytes=5-9', { 'if-range': '"tag"' })).status).toBe(200);
  });

  it('answers HEAD with a range by 206 and no body', async () => {
    const answer = await ask.dav(path, { method: 'HEAD', headers: { range: 'bytes=5-9' } });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([206, '5']);
  });

  it('has no body on a folder', async () => {
    expect((await ask.dav('/content/movies')).status).toBe(204);
  });

  it('serves the first of several ranges', async () => {
    const answer = await get('bytes=0-9,20-29');
    expect(answer).toMatchObject({ status: 206, contentRange: `bytes 0-9/${clip.size}`, length: 10 });
  });

  it('answers 404 where the first article is dead, and else ends short at once', async () => {
    sandbox.faults.missing = { from: 3_000_000, to: 4_000_000 };
    expect((await get('bytes=3000000-')).status).toBe(404);
    expect((await get('bytes=3999999-4000005')).status).toBe(404);
    expect((await get('bytes=4000000-4000005')).status).toBe(206);
    const answer = await ask.dav(path, { headers: { range: 'bytes=2999000-5000000' } });
    expect(answer.headers.get('content-length')).toBe('2001001');
    const { bytes, failed } = await received(answer);
    expect([failed, bytes.length]).toEqual([true, 1000]);
  });

  it('shows a folder without a video as told', async () => {
    const nzb = await ask.nzb(named(CATALOGUE, FILM).guid);
    const listing = async (folder: typeof sandbox.faults.folder) => {
      sandbox.faults.folder = folder;
      await ask.submit(nzb, `with ${folder ?? 'all'}.nzb`);
      const answer = await propfind(`/content/movies/with%20${folder ?? 'all'}`);
      return [answer.status, [...(await answer.text()).matchAll(/<D:item \/>/g)].length];
    };
    expect(await listing('empty')).toEqual([207, 0]);
    expect(await listing('sample-only')).toEqual([207, 1]);
    expect(await listing('no-video')).toEqual([207, 1]);
    expect(await listing('absent')).toEqual([404, 0]);
  });

  it('finds the source of a file by its path and by its address', () => {
    expect(sandbox.clipOf(path)?.size).toBe(clip.size);
    expect(sandbox.clipOf(`${sandbox.backend.webdavUrl}${path}`)?.name).toBe(clip.name);
    expect(sandbox.clipOf('/content/movies/nothing')).toBeUndefined();
  });
});

describeDialect('the WebDAV share of InfiniDysk', INFINIDYSK, () => {
  it('understands ranges as the standard has them', async () => {
    const last = clip.size - 1;
    expect(await get('bytes=0-')).toMatchObject({
      status: 206,
      contentRange: `bytes 0-${last}/${clip.size}`,
    });
    expect(await get('bytes=-5')).toMatchObject({ contentRange: `bytes ${last - 4}-${last}/${clip.size}` });
    expect(await get('bytes=x')).toMatchObject({ status: 200, contentRange: null });
    const head = await ask.dav(path, { method: 'HEAD', headers: { range: 'bytes=5-9' } });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(clip.size)]);
  });

  it('refuses to list deeper than one level', async () => {
    expect((await propfind('/content')).status).toBe(403);
    expect((await propfind('/content', '1')).status).toBe(207);
  });

  it('fills in zeros where an article is missing, and tells nobody', async () => {
    sandbox.faults.missing = { from: 3_000_000, to: 4_000_000 };
    const answer = await ask.dav(path, { headers: { range: 'bytes=2999990-4000009' } });
    expect(answer.status).toBe(206);
    const { bytes, failed } = await received(answer);
    const whole = clip.read(2_999_990, 4_000_010);
    expect([failed, Buffer.compare(bytes, whole.fill(0, 10, 1_000_010))]).toEqual([false, 0]);
    expect((await get('bytes=3000000-3000009')).status).toBe(206);
  });
});
