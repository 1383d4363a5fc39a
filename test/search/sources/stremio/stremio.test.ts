import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startStremio } from '../../../../sandbox/direct-stream/stremio.ts';
import { CAMINANDES, SINTEL } from '../../../../sandbox/index.ts';
import { redact } from '../../../../src/log/index.ts';
import type { Posting } from '../../../../src/model/index.ts';
import { openLinkMasker } from '../../../../src/search/cache/masked-links.ts';
import type { SearchAnswer, SearchQuery } from '../../../../src/search/sources/source.ts';
import { secretsOfAddon, stremioSource } from '../../../../src/search/sources/stremio/index.ts';
import { serve } from '../../../support/http-server.ts';
import { memoryLog } from '../../../support/log.ts';

/** A Stremio add-on as protocols.md §8.2 describes it. */
const TOKEN = 'eyJhIjoiY2FuYXJ5In0';
const FILM: SearchQuery = { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: SINTEL.imdb } };
const TMDB: SearchQuery = { kind: 'movie', area: 'movies', id: { kind: 'tmdb', value: '45745' } };
const EPISODE: SearchQuery = {
  kind: 'series',
  area: 'series',
  id: { kind: 'imdb', value: CAMINANDES.imdb },
  season: 1,
  episode: 2,
};
const { signal } = new AbortController();

async function sourceAt(url: string, log = memoryLog()) {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'stremio-'));
  onTestFinished(() => rm(cacheFolder, { recursive: true }));
  const options = { id: 's', name: 'Home', url, apiKey: '', timeout: 5_000, cacheFolder };
  return { source: stremioSource(options, log), cacheFolder };
}

async function setUp(rows?: readonly unknown[]) {
  const addon = await startStremio({ apiKey: TOKEN });
  onTestFinished(() => addon.close());
  addon.faults.rows = rows;
  if (rows !== undefined) addon.faults.search = 'empty';
  const log = memoryLog();
  return { addon, log, ...(await sourceAt(`${addon.url}/manifest.json`, log)) };
}

const listed = (answer: SearchAnswer | 'unsupported'): SearchAnswer => {
  if (answer === 'unsupported') throw new Error('unsupported');
  return answer;
};

async function rowsOf(...rows: unknown[]): Promise<SearchAnswer> {
  const { source } = await setUp(rows);
  return listed(await source.ask(FILM, signal));
}

async function postingOf(row: object): Promise<Posting> {
  const { postings } = await rowsOf({ url: 'http://play.example/1', ...row });
  return postings[0] ?? Promise.reject(new Error('nothing listed'));
}

describe('a request (§8.2)', () => {
  it.each([
    ['a film', FILM, `/stream/movie/${SINTEL.imdb}.json`],
    ['an episode', EPISODE, `/stream/series/${CAMINANDES.imdb}:1:2.json`],
  ])('of %s is made by its ids', async (_case, query, path) => {
    const { addon, source } = await setUp();
    await source.ask(query, signal);
    expect(addon.requests.map((request) => request.path)).toEqual([
      `/${TOKEN}/manifest.json`,
      `/${TOKEN}${path}`,
    ]);
  });

  it('needs no manifest twice, in this process and the next', async () => {
    const { addon, source, cacheFolder } = await setUp();
    await source.ask(FILM, signal);
    await source.ask(EPISODE, signal);
    const options = { id: 's', name: 'Home', url: addon.url, apiKey: '', timeout: 5_000, cacheFolder };
    await stremioSource(options, memoryLog()).ask(FILM, signal);
    expect(addon.requests.filter(({ path }) => path.endsWith('manifest.json'))).toHaveLength(1);
  });

  it('of words costs nothing and finds nothing, for there is no such thing', async () => {
    const { addon, source } = await setUp();
    const answer = await source.ask({ kind: 'text', area: 'movies', text: 'sintel' }, signal);
    expect(answer).toEqual({ postings: [], failures: [], ignoredId: false });
    expect(addon.requests).toHaveLength(0);
  });
});

describe('the manifest', () => {
  const withManifest = async (manifest: unknown) => {
    const paths: string[] = [];
    const url = await serve((request, response) => {
      paths.push(request.url ?? '');
      response.end(JSON.stringify(request.url === '/manifest.json' ? manifest : { streams: null }));
    });
    return { paths, ...(await sourceAt(url)) };
  };

  it('says by which ids it is asked: those of the resource before those of all', async () => {
    const resource = { name: 'stream', types: ['movie'], idPrefixes: ['tmdb:', 'kitsu:'] };
    const { source, paths } = await withManifest({
      resources: ['meta', resource],
      types: ['series'],
      idPrefixes: ['tt'],
    });
    expect(await source.capabilities(signal)).toMatchObject({
      movieIds: ['tmdb'],
      seriesIds: [],
      episodeNumbers: false,
    });
    expect(await source.ask(FILM, signal)).toBe('unsupported');
    expect(await source.ask(EPISODE, signal)).toBe('unsupported');
    expect(await source.ask(TMDB, signal)).toMatchObject({ postings: [] });
    expect(paths.at(-1)).toBe('/stream/movie/tmdb:45745.json');
  });

  it.each([['tmdb'], ['tmdb:'], ['t'], ['']])(
    'has an id of TMDb begin with the prefix "%s"',
    async (prefix) => {
      const resource = { name: 'stream', types: ['movie'], idPrefixes: ['kitsu', prefix] };
      const { source, paths } = await withManifest({ resources: [resource] });
      expect((await source.capabilities(signal)).movieIds).toContain('tmdb');
      expect(await source.ask(TMDB, signal)).toMatchObject({ postings: [] });
      expect(paths.at(-1)).toBe('/stream/movie/tmdb:45745.json');
    },
  );

  it('may take the ids of something else that begins in the same way', async () => {
    const resource = { name: 'stream', types: ['movie'], idPrefixes: ['tmdb:movie:'] };
    const { source } = await withManifest({ resources: [resource] });
    expect((await source.capabilities(signal)).movieIds).toEqual([]);
    expect(await source.ask(TMDB, signal)).toBe('unsupported');
  });

  it.each([
    ['community.altmount', 'altmount'],
    ['community.streamnzb', 'streamnzb'],
    ['com.aiostreams.viren070.00000000-000', 'aiostreams'],
    ['org.aiostreams.fork', undefined],
    [undefined, undefined],
  ])('of the id %s tells whose streams they are, also the next process', async (id, service) => {
    const row = { url: 'http://play.example/1', behaviorHints: { filename: 'Sintel.2010-A.mkv' } };
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url ?? '');
      const manifest = { id, resources: ['stream'] };
      response.end(JSON.stringify(request.url === '/manifest.json' ? manifest : { streams: [row] }));
    });
    const { source, cacheFolder } = await sourceAt(url);
    const options = { id: 's', name: 'Home', url, apiKey: '', timeout: 5_000, cacheFolder };
    for (const each of [source, stremioSource(options, memoryLog())]) {
      const { postings } = listed(await each.ask(FILM, signal));
      expect(postings[0]?.link.service).toBe(service);
    }
    expect(asked.filter((path) => path === '/manifest.json')).toHaveLength(1);
  });

  it.each([
    ['plain names', { resources: ['catalog', 'stream'], types: ['movie', 'series'], idPrefixes: ['tt'] }],
    ['no prefixes', { resources: ['stream'], types: ['movie', 'series'] }],
    ['nothing that makes sense', { resources: 'stream' }],
  ])('may hold %s', async (_case, manifest) => {
    const { source } = await withManifest(manifest);
    expect(await source.capabilities(signal)).toMatchObject({ movieIds: ['imdb'], seriesIds: ['imdb'] });
  });

  it('may offer no streams at all', async () => {
    const { source } = await withManifest({ resources: ['subtitles'], types: ['movie'] });
    expect(await source.capabilities(signal)).toMatchObject({ movieIds: [], seriesIds: [] });
  });
});

describe('a row', () => {
  it('is a release that plays by itself', async () => {
    const row = {
      name: 'Home 1080p',
      description: 'words',
      url: 'http://play.example/abc',
      behaviorHints: { filename: 'Sintel.2010.1080p.BluRay-ISHTAR.mkv', videoSize: 15e8, bingeGroup: 'a|b' },
    };
    const { postings, failures } = await rowsOf(row);
    expect(failures).toEqual([]);
    expect(postings).toEqual([
      {
        name: 'Sintel.2010.1080p.BluRay-ISHTAR',
        size: 15e8,
        claims: { imdb: SINTEL.imdb },
        link: {
          url: 'http://play.example/abc',
          guid: expect.stringMatching(/^[\da-f]{24}$/) as string,
          indexer: 'Home',
          source: 's',
          plays: true,
          listedAt: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
        },
      },
    ]);
  });

  it('has the key of the link in its address masked from then on, as in AltMount’s', async () => {
    const nzb = 'http://indexer.example/get?id=12&apikey=inner-key-55d0c3';
    const url = `http://play.example/play?title=x&url=${encodeURIComponent(nzb)}`;
    await postingOf({ url, behaviorHints: { filename: 'Sintel.2010.1080p.mkv' } });
    expect(redact('it is inner-key-55d0c3')).toBe('it is ***');
  });

  it('tells no origin of its list where its address names the same', async () => {
    expect((await postingOf({ url: '/play/1' })).link).not.toHaveProperty('listedAt');
  });

  it.each([
    ['of the file in a folder', { behaviorHints: { filename: 'Pack/Sintel.2010-A.mkv' } }, 'Sintel.2010-A'],
    ['of a line that is a file', { title: '🎬 HD\nSintel.2010-A.mkv\n4 GB' }, 'Sintel.2010-A'],
    ['of a line that is a release', { description: 'HD 4 GB\nSintel.2010.1080p-A' }, 'Sintel.2010.1080p-A'],
    ['of the first line else', { name: 'Home', title: 'Sintel HD\n4 GB' }, 'Sintel HD'],
    ['of nothing', { name: 7 }, 'unnamed'],
  ])('takes its name %s', async (_case, row, name) => {
    expect((await postingOf(row)).name).toBe(name);
  });

  it.each([0, -5, 1.5, '700', null, 1e300])('has no size of %s', async (videoSize) => {
    expect(await postingOf({ behaviorHints: { videoSize } })).not.toHaveProperty('size');
  });

  it.each([
    [15e8, 9e8, { size: 15e8, link: { videoSize: 9e8 } }],
    // Never opened.
    [15e8, 15e8, { size: 15e8 }],
    [undefined, 9e8, { size: 9e8 }],
    [15e8, 0, { size: 15e8 }],
  ])('tells the video of %s bytes posted, of which %s are the video', async (folderSize, videoSize, told) => {
    const posting = await postingOf({ behaviorHints: { folderSize, videoSize } });
    expect(posting).toMatchObject(told);
    expect('videoSize' in posting.link).toBe('link' in told);
  });

  it('is the same one when only its address has changed', async () => {
    const guid = async (row: object) => (await postingOf({ title: 'Sintel.2010-A.mkv', ...row })).link.guid;
    expect(await guid({ url: 'http://p.example/1' })).toBe(await guid({ url: 'http://p.example/2' }));
    expect(await guid({})).not.toBe(await guid({ behaviorHints: { videoSize: 7 } }));
  });

  it('keeps the headers that say who asks, and no other', async () => {
    const request = {
      Authorization: 'Basic Zm9vOmJhci1zZWNyZXQ=',
      'User-Agent': 'Player',
      Host: 'evil.example',
      Range: 'bytes=0-1',
      Cookie: 'a=1\r\nX: y',
      'X-Api-Key': 5,
    };
    const { link } = await postingOf({ behaviorHints: { proxyHeaders: { request } } });
    expect(link.headers).toEqual({
      authorization: 'Basic Zm9vOmJhci1zZWNyZXQ=',
      'user-agent': 'Player',
    });
  });
});

describe('a row that cannot be played', () => {
  it.each([
    [
      'no address',
      { name: '[❌] Indexer', description: 'Invalid API key' },
      /Home\) says: \[❌\] Indexer Invalid API key\.$/,
    ],
    [
      'a page, for an error',
      { name: 'Setup', externalUrl: 'https://x.example/configure', streamData: { type: 'error' } },
      /says: Setup\.$/,
    ],
    [
      'a page, by its mark',
      { name: '[❌] Setup', externalUrl: 'https://x.example/configure' },
      /says: \[❌\] Setup\.$/,
    ],
    [
      'a notice',
      { name: 'Limit reached', url: 'https://x.example/static/store_limit_exceeded.mp4' },
      /says: Limit reached\.$/,
    ],
    [
      'a notice of another name',
      {
        name: 'Come back',
        url: 'https://x.example/static/come_back.mp4',
        behaviorHints: { videoSize: 3_000_000 },
      },
      /says: Come back\.$/,
    ],
    [
      'a notice that there is nothing',
      { name: 'AltMount', title: 'No streams available', url: 'https://x.example/stremio/k/no-streams.mp4' },
      /says: AltMount No streams available\.$/,
    ],
    ['no web address', { name: 'Odd', url: 'magnet:?xt=1' }, /says: Odd\.$/],
    ['nothing at all', {}, /says: a stream without an address\.$/],
  ])('is a failure in its words: %s', async (_case, row, words) => {
    const { postings, failures } = await rowsOf(row);
    expect(postings).toEqual([]);
    expect(failures.map(({ code }) => code)).toEqual(['SERVICE_ERROR']);
    expect(failures[0]?.explanation.what).toMatch(words);
  });

  it('tells each once, five at the most, and no address or key', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => ({
      name: `Failure ${n % 20} at http://x.example/${TOKEN}`,
    }));
    const { failures } = await rowsOf(...rows);
    expect(failures).toHaveLength(5);
    expect(JSON.stringify(failures.map(({ explanation }) => explanation))).not.toContain(TOKEN);
  });

  it.each([
    { name: 'Summary', externalUrl: 'https://x.example/' },
    { name: 'Summary', externalUrl: 'https://x.example/', streamData: { type: 'statistic' } },
    { infoHash: 'a'.repeat(40) },
    { ytId: 'abc' },
    { nzbUrl: 'http://x.example/1.nzb', servers: [] },
  ])('is no failure when it is a page, or for another kind of player: %o', async (row) => {
    expect(await rowsOf(row)).toMatchObject({ postings: [], failures: [] });
  });

  it('leaves the others as they are, also one that is no row', async () => {
    const good = { url: 'http://play.example/1', title: 'Sintel.2010-A.mkv' };
    const { postings } = await rowsOf(7, null, 'x', { url: 5 }, good, [], { url: 'x'.repeat(10_000) });
    expect(postings.map(({ name }) => name)).toEqual(['Sintel.2010-A']);
  });

  it('is bounded: of ten thousand rows a thousand are read', async () => {
    const { addon, source } = await setUp();
    addon.faults.search = 'flood';
    expect(listed(await source.ask(FILM, signal)).postings).toHaveLength(1_000);
  });
});

describe('the address', () => {
  it.each([
    ['as it is pasted', (url: string) => `${url}/manifest.json`],
    ['without the manifest', (url: string) => url],
    ['with a slash', (url: string) => `${url}/`],
    ['of the page where it is configured', (url: string) => `${url}/configure`],
  ])('is taken %s', async (_case, written) => {
    const { addon } = await setUp();
    const { source } = await sourceAt(written(addon.url));
    expect(listed(await source.ask(FILM, signal)).postings).toHaveLength(3);
  });

  it('of Stremio is an https one', async () => {
    const { source } = await sourceAt('stremio://127.0.0.1:1/token-0001/manifest.json');
    await expect(source.capabilities(signal)).rejects.toMatchObject({ code: 'UNREACHABLE' });
  });

  it.each([
    [`https://x.example/stremio/${TOKEN}/manifest.json`, [TOKEN]],
    ['https://x.example/adapters/addon/abcd1234/manifest.json', ['abcd1234']],
    ['https://x.example/u/films/manifest.json', ['films']],
    ['https://x.example/a%7Cb%7Cc/manifest.json', ['a%7Cb%7Cc', 'a|b|c']],
    ['https://user:pa%20ss@x.example/manifest.json?k=v9', ['user', 'pa%20ss', 'pa ss', 'v9']],
    ['nonsense', []],
  ])('holds secrets: %s', (url, secrets) => {
    expect(secretsOfAddon(url)).toEqual(secrets);
  });

  it('leaves none of them in logs, on disk, and in links that are stored', async () => {
    const { addon, source, cacheFolder, log } = await setUp();
    const { postings } = listed(await source.ask(FILM, signal));
    const links = openLinkMasker({ s: secretsOfAddon(addon.url) });
    for (const { link } of postings) {
      expect(link.url).toContain(TOKEN);
      const hidden = links.mask(link);
      expect(JSON.stringify(hidden)).not.toContain(TOKEN);
      expect(hidden && links.unmask(hidden)).toEqual(link);
    }
    // Whoever names the address later gives nothing away.
    log.info(`${addon.url}/stream`);
    const files = await readdir(cacheFolder);
    const contents = await Promise.all(files.map((file) => readFile(join(cacheFolder, file), 'utf8')));
    expect(files).toHaveLength(1);
    expect([...files, ...contents, ...log.lines].join('\n')).not.toContain(TOKEN);
  });
});
