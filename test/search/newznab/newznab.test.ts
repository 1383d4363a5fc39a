import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { MediaRequest } from '../../../src/model/index.ts';
import { newznabSource } from '../../../src/search/newznab/index.ts';
import { memoryLog } from '../../support/log.ts';
import { CAPS, errorXml, feed, item, newznabServer, type Reply } from './server.ts';

/** All answers are invented after the Newznab specification and its known dialects. */
const KEY = 'newznab-key-5531ac';
const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: { imdb: 'tt1727587' } };
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: { tvdb: '990001' },
  episode: { season: 1, episode: 2 },
};
const HIT = feed([item('Sintel.2010.1080p.WEB.h264-INV', 'a')]);
const MISS = feed([item('Spring.2019.1080p.WEB.h264-INV', 'b')]);
const signal = new AbortController().signal;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'newznab-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

async function setUp(answer: (query: Readonly<Record<string, string>>) => Reply | undefined, path = '') {
  const server = await newznabServer(answer);
  const log = memoryLog();
  const source = newznabSource(
    { name: 'Example', url: server.url + path, apiKey: KEY, timeout: 5_000, cacheFolder: folder },
    log,
  );
  return { source, log, queries: server.queries };
}

const kinds = (queries: readonly Readonly<Record<string, string>>[]) => queries.map(({ t }) => t);

describe('newznabSource', () => {
  it('asks by id, with extended attributes and the key', async () => {
    const { source, queries } = await setUp(({ t }) => (t === 'caps' ? CAPS : HIT));
    expect((await source.search(FILM, signal)).map(({ guid }) => guid)).toEqual(['a']);
    expect(queries.at(-1)).toEqual({
      t: 'movie',
      imdbid: '1727587',
      cat: '2000',
      extended: '1',
      limit: '100',
      apikey: KEY,
    });
    expect(queries).toHaveLength(2);
  });

  it('asks by text when the id finds nothing', async () => {
    const { source, queries } = await setUp(({ t }) =>
      t === 'caps' ? CAPS : t === 'movie' ? feed([]) : HIT,
    );
    expect(await source.search(FILM, signal)).toHaveLength(1);
    expect(queries.at(-1)).toMatchObject({ t: 'search', q: 'sintel 2010' });
  });

  it('asks by text when the indexer ignored the id and listed what is newest', async () => {
    const { source, queries } = await setUp(({ t }) => (t === 'caps' ? CAPS : t === 'movie' ? MISS : HIT));
    expect(await source.search(FILM, signal)).toHaveLength(2);
    expect(kinds(queries)).toEqual(['caps', 'movie', 'search']);
  });

  it.each([201, 202, 203])('goes on to the next kind of query after error %i', async (code) => {
    const { source, queries } = await setUp(({ t }) =>
      t === 'caps' ? CAPS : t === 'tvsearch' ? { status: 500, body: errorXml(code) } : feed([]),
    );
    expect(await source.search(EPISODE, signal)).toEqual([]);
    expect(kinds(queries)).toEqual(['caps', 'tvsearch', 'tvsearch', 'search']);
    expect(queries.at(-1)).toMatchObject({ q: 'caminandes S01E02', cat: '5000' });
  });

  it('spends no second text query where the first was understood', async () => {
    const { source, queries } = await setUp(({ t }) => (t === 'caps' ? CAPS : feed([])));
    expect(await source.search(EPISODE, signal)).toEqual([]);
    expect(kinds(queries)).toEqual(['caps', 'tvsearch', 'tvsearch']);
  });

  it('says so when the indexer understands no query at all', async () => {
    const { source } = await setUp(({ t }) => (t === 'caps' ? CAPS : errorXml(203)));
    await expect(source.search(FILM, signal)).rejects.toMatchObject({ code: 'SERVICE_ERROR' });
  });

  it('takes "no such item" for nothing found', async () => {
    const { source } = await setUp(({ t }) => (t === 'caps' ? CAPS : errorXml(300)));
    expect(await source.search(FILM, signal)).toEqual([]);
  });

  it('remembers the capabilities for the next process, without a secret on disk', async () => {
    const { source, queries } = await setUp(({ t }) => (t === 'caps' ? CAPS : HIT), `/api?apikey=${KEY}`);
    await source.search(FILM, signal);
    await source.search(FILM, signal);
    expect(kinds(queries)).toEqual(['caps', 'movie', 'movie']);
    const files = await readdir(folder);
    const contents = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    expect(files).toHaveLength(1);
    expect([...files, ...contents].join()).not.toContain(KEY);
  });

  it('asks for the capabilities again when they are old or damaged', async () => {
    const { source, queries } = await setUp(({ t }) => (t === 'caps' ? CAPS : HIT));
    await source.search(FILM, signal);
    const file = join(folder, (await readdir(folder))[0] ?? '');
    const fresh = await readFile(file, 'utf8');
    await writeFile(file, fresh.replace(/"fetched":\d+/, `"fetched":${Date.now() - 8 * 24 * 3_600_000}`));
    await source.search(FILM, signal);
    await writeFile(file, '{');
    await source.search(FILM, signal);
    expect(kinds(queries)).toEqual(['caps', 'movie', 'caps', 'movie', 'caps', 'movie']);
  });

  it.each([
    ['HTML', '<html><body>Hello</body></html>'],
    ['an error of the server', { status: 503, body: 'down' }],
    ['a foreign document', '<rss/>'],
    ['an error document', errorXml(202)],
  ])('searches all the same when the capabilities are %s', async (_case, caps) => {
    const { source } = await setUp(({ t }) => (t === 'caps' ? caps : HIT));
    expect(await source.search(FILM, signal)).toHaveLength(1);
  });

  it('searches all the same when nothing can be remembered', async () => {
    const server = await newznabServer(({ t }) => (t === 'caps' ? CAPS : HIT));
    const file = join(folder, 'file');
    await writeFile(file, '');
    const source = newznabSource(
      { name: 'Example', url: server.url, apiKey: KEY, timeout: 5_000, cacheFolder: file },
      memoryLog(),
    );
    expect(await source.search(FILM, signal)).toHaveLength(1);
  });

  it('spends no query when the key is already refused', async () => {
    const { source, queries } = await setUp(() => errorXml(100));
    await expect(source.search(FILM, signal)).rejects.toMatchObject({ code: 'AUTH_FAILED' });
    expect(kinds(queries)).toEqual(['caps']);
  });

  it.each<[string, Reply, string]>([
    ['an entity bomb', bomb(), 'BAD_ANSWER'],
    ['another root', '<feed/>', 'BAD_ANSWER'],
    ['an empty body', '', 'BAD_ANSWER'],
    ['JSON', '{"channel":{}}', 'BAD_ANSWER'],
    ['nesting without end', '<rss>'.repeat(100_000), 'TOO_LARGE'],
    ['a 404', { status: 404, body: 'Not Found' }, 'BAD_ANSWER'],
    ['a Cloudflare page', { status: 403, body: '<html>Attention Required</html>' }, 'SERVICE_ERROR'],
    ['a plain 403', { status: 403, body: 'Forbidden' }, 'AUTH_FAILED'],
    ['a plain 429', { status: 429, body: '' }, 'RATE_LIMITED'],
    ['a limit in plain text', 'Request limit reached', 'RATE_LIMITED'],
    ['an error document with 429', { status: 429, body: errorXml(500) }, 'RATE_LIMITED'],
    ['an error document with 401', { status: 401, body: errorXml(100) }, 'AUTH_FAILED'],
  ])('answers %s with a code', async (_case, body, code) => {
    const { source } = await setUp(({ t }) => (t === 'caps' ? CAPS : body));
    await expect(source.search(FILM, signal)).rejects.toMatchObject({ code });
  });

  it('refuses an address that is none when it is made', () => {
    expect(() =>
      newznabSource({ name: 'x', url: 'ftp://x', apiKey: '', timeout: 1, cacheFolder: folder }, memoryLog()),
    ).toThrow(/INVALID_REQUEST/);
  });
});

function bomb(): string {
  const levels = Array.from({ length: 40 }, (_, i) => `<!ENTITY l${i + 1} "&l${i};&l${i};">`).join('');
  return `<!DOCTYPE rss [<!ENTITY l0 "ha">${levels}]><lolz>&l40;</lolz>`;
}
