import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CatalogueRelease, SINTEL as FILM } from '../../sandbox/catalogue.ts';
import { mkvClip } from '../../sandbox/index.ts';
import { capsDocument, feedDocument } from '../../sandbox/indexer/documents.ts';
import { DEFAULT_SUPPORT } from '../../sandbox/indexer/search.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { type Samba, startSamba } from '../real/services/samba.ts';
import type { Service } from '../real/services/service.ts';
import { startNewsServer } from '../real/usenet/news-server.ts';
import { startNzbget } from '../real/usenet/nzbget.ts';
import { serve } from '../support/http-server.ts';
import { post } from '../support/usenet/poster.ts';
import { hostOf, kodiWithEngineHere } from './engine-here.ts';
import type { Kodi } from './harness/index.ts';
import { quitsClean, SINTEL, stage } from './slipstream.ts';

const root = await rootOrSkip('SMB in a real Kodi 21');

/** Seconds. */
const DURATION = 240;
const NAME = 'Sintel.2010.1080p.WEB-DL.x264-DURIAN';
const CLIP = mkvClip({ name: `${NAME}.mkv`, seconds: DURATION, size: 12_000_000 });
/** What other rules would read as a query, a fragment or an escape. */
const ODD = "Sintel's #1 & 100%41 дракон + [x]; ¿y~";

async function started<T extends Service>(service: Promise<T>): Promise<T> {
  const up = await service;
  onTestFinished(() => up.end());
  return up;
}

async function put(samba: Samba, path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(join(samba.share, path, '..'), { recursive: true });
  await writeFile(join(samba.share, path), bytes);
}

const advancesBeyond = (kodi: Kodi, seconds: number) =>
  kodi.until(
    `the time is beyond ${seconds} s`,
    async () => ((await kodi.player.position()) ?? 0) > seconds || undefined,
  );

async function playsToTheSeek(kodi: Kodi): Promise<void> {
  await advancesBeyond(kodi, 1);
  expect(await kodi.player.duration()).toBeCloseTo(DURATION, 0);
  await kodi.player.seek(200);
  await advancesBeyond(kodi, 200.5);
}

describe.skipIf(!root)('SMB in a real Kodi 21', () => {
  test('a share on a real Samba is listed and read through Kodi, and a film on it plays', async () => {
    const samba = await started(startSamba(root!));
    await put(samba, `Movies/${ODD}/${ODD}.mkv`, CLIP.read(0, CLIP.size));
    await put(samba, `Movies/${ODD}/Subs/en.srt`, Buffer.from('0123456789'));
    const { kodi, call } = await kodiWithEngineHere(root!);
    const plugin = await call('/play');
    const { files } = hostOf(plugin);
    const { signal } = new AbortController();
    const folder = `${samba.url}/Movies/${ODD}`;
    const listed = await files.list(folder, signal);
    expect([...listed!].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: `${ODD}.mkv`, isFolder: false, size: CLIP.size },
      { name: 'Subs', isFolder: true },
    ]);
    expect(await files.list(`${samba.url}/Movies/absent`, signal)).toBeUndefined();
    const read = (path: string, from: number, length: number) =>
      files.read(`${folder}/${path}`, { from, length }, signal);
    const [middle, length] = [7_654_321, 100_000];
    const bytes = await read(`${ODD}.mkv`, middle, length);
    expect(Buffer.from(bytes!).equals(CLIP.read(middle, middle + length))).toBe(true);
    expect(Buffer.from((await read('Subs/en.srt', 7, 100))!).toString()).toBe('789');
    expect(await read('absent.mkv', 0, 1)).toBeUndefined();

    await hostOf(plugin).resolve({ stream: { url: `${folder}/${ODD}.mkv` }, title: 'Sintel' });
    plugin.end();
    await playsToTheSeek(kodi);
    await kodi.player.stop();
  });

  test('a release goes from the indexer by way of a real NZBGet to the picture', async () => {
    const news = await started(startNewsServer(root!));
    const nzbget = await started(startNzbget(root!, news.port));
    const samba = await started(startSamba(root!, nzbget.downloads));
    const nzb = await post(news.port, [{ name: CLIP.name, bytes: CLIP.read(0, CLIP.size) }]);
    const s = await stage(root!, {
      settings: {
        indexer_url: await indexerOf(nzb),
        playback_backend: 'nzbget',
        nzbget_url: nzbget.url,
        nzbget_username: nzbget.username,
        nzbget_password: nzbget.password,
        nzbget_folder: samba.url,
      },
    });
    const { kodi } = s;
    await s.open(`/play?${SINTEL}`);
    await playsToTheSeek(kodi);
    // Kodi sees nothing of NZBGet's disk but by the share, and nothing went through the proxy.
    expect(await nzbget.call('history', false)).toMatchObject([
      { Category: 'Movies', Status: 'SUCCESS/HEALTH' },
    ]);
    expect(s.sandbox.requests.filter(({ service }) => service === 'webdav')).toEqual([]);
    await kodi.player.stop();
    await s.nothingLeft();
    expect(await kodi.log()).not.toContain(nzbget.password);
    await quitsClean(kodi);
  });
});

/** An indexer that lists one release, and hands out this NZB. */
function indexerOf(nzb: string): Promise<string> {
  let own = '';
  const listening = serve((request, response) => {
    const kind = new URL(request.url ?? '/', own).searchParams.get('t');
    const page = { offset: 0, total: 1, releases: [RELEASE] };
    const answer =
      kind === 'caps'
        ? capsDocument(DEFAULT_SUPPORT)
        : feedDocument(page, true, () => ({ url: `${own}/api?t=get` }));
    const body = kind === 'get' ? nzb : answer.body;
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body);
  });
  return listening.then((url) => (own = url));
}

const RELEASE: CatalogueRelease = {
  guid: '5a4db0c5-0000-4000-8000-00000000a001',
  of: FILM,
  name: NAME,
  categories: [2000, 2040],
  size: Math.round(CLIP.size * 1.06),
  videos: [],
  posted: '2026-01-01T12:00:00Z',
  grabs: 1,
  poster: 'poster@example.invalid',
  usenetGroup: 'alt.binaries.test',
};
