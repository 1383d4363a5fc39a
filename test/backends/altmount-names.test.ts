import { expect, it, onTestFinished } from 'vitest';
import { startDirectStream } from '../../sandbox/direct-stream/index.ts';
import { ALTMOUNT, type CatalogueRelease, startSandbox, type Video } from '../../sandbox/index.ts';
import { nzbOf } from '../../sandbox/indexer/nzb.ts';
import type { Backend, Nzb } from '../../src/backends/backend.ts';
import { directStreamBackend } from '../../src/backends/direct-stream/index.ts';
import { streamableNzb } from '../../src/backends/nzb/streamable.ts';
import { webdavBackend } from '../../src/backends/webdav/index.ts';
import type { MediaRequest } from '../../src/model/index.ts';
import { memoryLog } from '../support/log.ts';
import { CALM as DIRECT } from './direct-stream/lab.ts';
import { EPISODE, FILM, released } from './labs.ts';
import { contentOf, releaseCalled, turns } from './nzb/lab.ts';
import { CALM } from './webdav/lab.ts';

const SIZES = [20_000_000, 21_000_000, 22_000_000];
const TOWER = { ...EPISODE, title: 'Cured Tower' };

const clip = (path: string, size: number, more: Partial<Video> = {}): Video => ({
  path,
  size,
  container: 'mkv',
  seconds: 60,
  ...more,
});

const posted = (
  name: string,
  videos: readonly Video[],
  more: Partial<CatalogueRelease> = {},
): CatalogueRelease => ({
  ...released('Sintel.2010.1080p.BluRay.DTS.x264-ISHTAR'),
  name,
  videos,
  guid: '1ab00000-0000-4000-8000-0000000d0001',
  ...more,
});

/** AltMount by its share, and by its streams. */
const WAYS: Record<string, (post: CatalogueRelease) => Promise<Backend>> = {
  WebDAV: async (post) => {
    const sandbox = await startSandbox({ dialect: ALTMOUNT, jobDuration: 20, posts: [post] });
    onTestFinished(() => sandbox.close());
    return webdavBackend(
      { ...sandbox.backend, movieCategory: 'movies', tvCategory: 'tv' },
      memoryLog(),
      CALM,
    );
  },
  'direct streams': async (post) => {
    const service = await startDirectStream('altmount', { apiKey: 'k', jobDuration: 20, posts: [post] });
    onTestFinished(() => service.close());
    return directStreamBackend(
      { kind: 'altmount', url: service.url, apiKey: 'k', via: 'player' },
      memoryLog(),
      DIRECT,
    );
  },
};

/** The size of what would be played. */
async function played(
  way: string,
  post: CatalogueRelease,
  request: MediaRequest,
): Promise<number | undefined> {
  const backend = await WAYS[way]!(post);
  const { signal } = new AbortController();
  const content = await contentOf(Buffer.from(nzbOf(post)));
  const nzb = (await streamableNzb(content, { request, release: releaseCalled(post.name) }, turns())) as Nzb;
  const job = await backend.submit(nzb, `${post.name}-0a1b2c3d`, request, signal);
  const options = { signal, timeout: 5_000, onProgress: () => undefined };
  const { file } = await backend.locate(await backend.waitUntilReady(job, options), request, signal);
  return file.size;
}

const ways = Object.keys(WAYS);

it.each(ways)('each episode of a pack in small letters is the right one by %s', async (way) => {
  const files = SIZES.map((size, at) => clip(`blue-tower-s01e0${at + 1}.mkv`, size));
  const pack = posted('Cured.Tower.S01.1080p.WEB.h264-OAKC', files);
  for (const [at, size] of SIZES.entries()) {
    const request = { ...TOWER, episode: { season: 1, episode: at + 1 } };
    expect(await played(way, pack, request)).toBe(size);
  }
});

it.each(ways)('of a pack whose names tell nothing none is played by %s', async (way) => {
  const files = SIZES.map((size, at) => clip(`b6f1c2d49e0a4c7f8a3${at}.mkv`, size));
  const pack = posted('Cured.Tower.S01.1080p.WEB.h264-OAKC', files);
  await expect(played(way, pack, TOWER)).rejects.toThrow('nobody can tell which episode is which');
});

it.each(ways)('a film in volumes plays though a sample lies beside it by %s', async (way) => {
  const videos = [
    clip('Big.Buck.Bunny.2008.mkv', 75_000_000),
    clip('bunny-sample.mkv', 11_000_000, { isLoose: true }),
  ];
  const post = posted('Big.Buck.Bunny.2008.1080p-OAKS', videos, { archive: { kind: 'rar' } });
  expect(await played(way, post, FILM)).toBe(75_000_000);
});
