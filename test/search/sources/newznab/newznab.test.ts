import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { newznabSource } from '../../../../src/search/sources/newznab/index.ts';
import type { SearchQuery } from '../../../../src/search/sources/source.ts';
import { memoryLog } from '../../../support/log.ts';
import { CAPS, capsXml, errorXml, feed, item, newznabServer, type Query, type Reply } from './server.ts';

/** All answers are invented after the Newznab specification and its known dialects (protocols.md §5). */
const KEY = 'newznab-key-5531ac';
const FILM: SearchQuery = { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: 'tt1727587' } };
const EPISODE: SearchQuery = {
  kind: 'series',
  area: 'series',
  id: { kind: 'tvdb', value: '990001' },
  season: 1,
  episode: 2,
};
const TEXT: SearchQuery = { kind: 'text', area: 'movies', text: 'sintel 2010' };
const HIT = feed([item('Sintel.2010.1080p.WEB.h264-INV', 'a')]);
const signal = new AbortController().signal;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'newznab-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

async function setUp(answer: (query: Query) => Reply | undefined, caps: Reply = CAPS, login = '') {
  const headers: (string | undefined)[] = [];
  const server = await newznabServer((query, _response, request) => {
    headers.push(request.headers.authorization ?? request.headers['user-agent']);
    return query['t'] === 'caps' ? caps : answer(query);
  });
  const log = memoryLog();
  const url = server.url.replace('://', `://${login}`);
  const options = { id: 'n', name: 'Example', url, apiKey: KEY, timeout: 5_000, cacheFolder: folder };
  const source = newznabSource(options, log);
  const ask = (query: SearchQuery) => source.ask(query, signal);
  const queries = () => server.queries.filter(({ t }) => t !== 'caps');
  return { source, ask, log, queries, headers, url: server.url };
}

const names = (answer: Awaited<ReturnType<ReturnType<typeof newznabSource>['ask']>>) =>
  answer === 'unsupported' ? answer : answer.postings.map(({ name }) => name);

describe('a request (§5.1)', () => {
  it('asks for extended attributes, a page of 100, the parent category, with the key and a recognisable agent', async () => {
    const { ask, queries, headers } = await setUp(() => HIT);
    await ask(FILM);
    expect(queries()).toEqual([
      { t: 'movie', imdbid: '1727587', cat: '2000', extended: '1', limit: '100', apikey: KEY },
    ]);
    expect(headers.at(-1)).toMatch(/^Slipstream/);
  });

  it('sends the key for the caps too: some demand it', async () => {
    let caps: Query = {};
    const server = await newznabServer((query) => {
      caps = query;
      return CAPS;
    });
    const options = {
      id: 'n',
      name: 'Example',
      url: server.url,
      apiKey: KEY,
      timeout: 5_000,
      cacheFolder: folder,
    };
    await newznabSource(options, memoryLog()).capabilities(signal);
    expect(caps).toEqual({ t: 'caps', apikey: KEY });
  });

  it('logs in where the address has a user, and lets the download do so too', async () => {
    const { ask, headers } = await setUp(
      () => feed(['<item><title>x</title><link>/get/1</link></item>']),
      CAPS,
      'me:secret@',
    );
    const answer = await ask(FILM);
    expect(headers.at(-1)).toBe(`Basic ${Buffer.from('me:secret').toString('base64')}`);
    expect(answer === 'unsupported' ? '' : answer.postings[0]?.link.url).toMatch(/^http:\/\/me:secret@/);
  });
});

describe('caps (§5.2)', () => {
  it('are honoured: ids, numbers, texts', async () => {
    const { source, ask } = await setUp(
      () => HIT,
      capsXml('q', 'Q, TVMAZEID', 'imdbid,tmdbid', '<limits max="50"/>'),
    );
    expect(await source.capabilities(signal)).toEqual({
      movieIds: ['imdb', 'tmdb'],
      seriesIds: ['tvmaze'],
      episodeNumbers: false,
      movieText: false,
      seriesText: true,
    });
    expect(await ask(EPISODE)).toBe('unsupported');
  });

  it('that rule out a search by words are honoured, and kept in mind', async () => {
    const without =
      '<caps><searching><search available="no"/><movie-search available="yes" supportedParams="imdbid"/></searching></caps>';
    const { source, ask, queries } = await setUp(() => HIT, without);
    expect(await source.capabilities(signal)).toMatchObject({ noPlainText: true, movieText: false });
    expect(await ask(TEXT)).toBe('unsupported');
    expect(names(await ask(FILM))).toHaveLength(1);
    expect(queries().map(({ t }) => t)).toEqual(['movie']);
    const kept = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    );
    expect(kept.join()).toContain('forbidsText');
  });

  it('clamp the page to what is allowed', async () => {
    const { ask, queries } = await setUp(() => HIT, capsXml('q', 'q', 'q,imdbid', '<limits max="50"/>'));
    await ask(FILM);
    expect(queries()[0]).toMatchObject({ limit: '50' });
  });

  it('without parameters mean text only', async () => {
    const { source } = await setUp(
      () => HIT,
      '<caps><searching><search available="yes"/><tv-search available="yes"/><movie-search available="yes"/></searching></caps>',
    );
    expect(await source.capabilities(signal)).toEqual({
      movieIds: [],
      seriesIds: [],
      episodeNumbers: true,
      movieText: true,
      seriesText: true,
    });
  });

  it.each([
    ['are HTML', '<html><body>Hello</body></html>'],
    ['are an error of the server', { status: 503, body: 'down' }],
    ['are a foreign document', '<rss/>'],
    ['are an error document', errorXml(202)],
    ['are empty', '<caps/>'],
    ['are cut off', CAPS.slice(0, 60)],
  ])('that %s keep nobody from searching', async (_case, caps) => {
    const { source, ask } = await setUp(() => HIT, caps);
    expect(names(await ask(TEXT))).toHaveLength(1);
    expect(names(await ask(FILM))).toHaveLength(1);
    expect((await source.capabilities(signal)).seriesIds).toEqual(['tvdb']);
  });

  it('that do not come are not waited for as long as a search', async () => {
    const server = await newznabServer(({ t }) => (t === 'caps' ? undefined : HIT));
    const options = {
      id: 'n',
      name: 'Example',
      url: server.url,
      apiKey: KEY,
      timeout: 600,
      cacheFolder: folder,
    };
    const source = newznabSource(options, memoryLog());
    expect(names(await source.ask(TEXT, signal))).toHaveLength(1);
    expect(names(await source.ask(TEXT, signal))).toHaveLength(1);
    expect(server.queries.filter(({ t }) => t === 'caps')).toHaveLength(1);
  });

  it('spend no search when the key is already refused', async () => {
    const { ask, queries } = await setUp(() => HIT, errorXml(100));
    await expect(ask(FILM)).rejects.toMatchObject({ code: 'AUTH_FAILED' });
    expect(queries()).toEqual([]);
  });

  it('are searched without where they cannot be kept', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const server = await newznabServer(({ t }) => (t === 'caps' ? CAPS : HIT));
    const options = {
      id: 'n',
      name: 'Example',
      url: server.url,
      apiKey: KEY,
      timeout: 5_000,
      cacheFolder: file,
    };
    expect(names(await newznabSource(options, memoryLog()).ask(FILM, signal))).toHaveLength(1);
  });
});

describe('an answer (§5.3)', () => {
  it('whose total is the whole index has ignored the id', async () => {
    const { ask } = await setUp(() => feed([item('Spring.2019.1080p-INV', 'x')], 123_456));
    expect(await ask(FILM)).toMatchObject({ ignoredId: true });
    expect(await ask(TEXT)).toMatchObject({ ignoredId: false });
  });

  it('whose rows are all of other works has ignored the id, also without a total (§5.7)', async () => {
    const rows = [1, 2, 3].map((n) => item('Spring.2019.1080p-INV', String(n), { imdb: 500 + n }));
    const { ask } = await setUp(() => feed(rows));
    expect(await ask(FILM)).toMatchObject({ ignoredId: true });
  });

  it('is compared by the kind of id that was asked by', async () => {
    const { ask } = await setUp(() => feed([item('x', '1', { tvmazeid: 8 })]), capsXml('q', 'tvmazeid', 'q'));
    expect(await ask({ kind: 'series', area: 'series', id: { kind: 'tvmaze', value: '7' } })).toMatchObject({
      ignoredId: true,
    });
  });
});

describe('a page (§5.6)', () => {
  it('is enough for somebody who waits: each further one would be a request that the indexer counts', async () => {
    const rows = Array.from({ length: 100 }, (_, n) => item('Sintel.2010-INV', `g${n}`));
    const { ask, queries } = await setUp(() => feed(rows, 250));
    expect(names(await ask(FILM))).toHaveLength(100);
    expect(queries()).toHaveLength(1);
  });
});

describe('an error (§5.4)', () => {
  it.each([202, 203, 200])('%i means to ask otherwise, at any status', async (code) => {
    const { ask } = await setUp(() => ({ status: 500, body: errorXml(code) }));
    expect(await ask(EPISODE)).toBe('unsupported');
  });

  it('201 is asked once more without the parameter', async () => {
    const { ask, queries } = await setUp((query) =>
      'extended' in query ? errorXml(201, 'Incorrect parameter (extended)') : HIT,
    );
    expect(names(await ask(FILM))).toHaveLength(1);
    expect(queries()).toHaveLength(2);
    expect(queries()[1]).not.toHaveProperty('extended');
  });

  it('201 is not asked a third time', async () => {
    const { ask, queries } = await setUp(() => errorXml(201, 'Incorrect parameter (cat, limit)'));
    expect(await ask(FILM)).toBe('unsupported');
    expect(queries()).toHaveLength(2);
  });

  it('201 for the id itself means to ask otherwise', async () => {
    const { ask, queries } = await setUp(() => errorXml(201, 'Incorrect parameter (imdbid)'));
    expect(await ask(FILM)).toBe('unsupported');
    expect(queries()).toHaveLength(1);
  });

  it('300 means that nothing was found', async () => {
    const { ask } = await setUp(() => errorXml(300));
    expect(await ask(FILM)).toEqual({ postings: [], failures: [], ignoredId: false });
  });

  it.each<[string, Reply, string]>([
    ['a limit under a code of credentials', errorXml(100, 'Hits Limit Reached'), 'RATE_LIMITED'],
    ['a suspended account', errorXml(101, 'Account suspended'), 'AUTH_FAILED'],
    ['an expired account', errorXml(102, 'Your membership has expired'), 'AUTH_FAILED'],
    ['an interface that is off', errorXml(910, 'API disabled'), 'RATE_LIMITED'],
    ['a limit of downloads', errorXml(501, 'x'), 'RATE_LIMITED'],
    ['a limit in plain text', 'Request limit reached', 'RATE_LIMITED'],
    ['a wrong key in plain text', 'Invalid API Key', 'AUTH_FAILED'],
    ['words inside of the element', '<error code="500">Request limit reached</error>', 'RATE_LIMITED'],
    ['no code', '<error>Something</error>', 'SERVICE_ERROR'],
    ['an error document with 401', { status: 401, body: errorXml(100) }, 'AUTH_FAILED'],
    ['an error document with 403', { status: 403, body: errorXml(500) }, 'RATE_LIMITED'],
    ['a missing key', errorXml(200, 'Missing parameter (apikey)'), 'AUTH_FAILED'],
    ['a plain 403', { status: 403, body: 'Forbidden' }, 'AUTH_FAILED'],
    ['well-formed HTML', '<html><body>Log in</body></html>', 'BAD_ANSWER'],
    ['JSON', '{"channel":{}}', 'BAD_ANSWER'],
    ['another root', '<feed/>', 'BAD_ANSWER'],
    ['nesting without end', '<rss>'.repeat(100_000), 'TOO_LARGE'],
    [
      'a limit of Prowlarr (§7.3)',
      { status: 429, body: errorXml(429), headers: { 'retry-after': '60' } },
      'RATE_LIMITED',
    ],
    [
      'an indexer switched off in Prowlarr (§7.3)',
      { status: 410, body: errorXml(410, 'Indexer is disabled') },
      'SERVICE_ERROR',
    ],
  ])('is understood: %s', async (_case, reply, code) => {
    const { ask } = await setUp(() => reply);
    await expect(ask(FILM)).rejects.toMatchObject({ code });
  });

  it.each([
    ['HTML with 200', '<!DOCTYPE html><html><br></html>'],
    ['a challenge of Cloudflare', { status: 503, body: '<html>Just a moment</html>' }],
    ['its own number', { status: 520, body: '' }],
  ])('that passes is marked so (§5.5): %s', async (_case, reply) => {
    const { ask } = await setUp(() => reply);
    await expect(ask(FILM)).rejects.toMatchObject({ transient: true });
  });

  it('says until when, whatever its status (§5.5)', async () => {
    const { ask } = await setUp(() => ({
      status: 200,
      body: errorXml(500, 'Request limit reached'),
      headers: { 'retry-after': '14400' },
    }));
    await expect(ask(FILM)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 14_400_000 });
  });
});

describe('specials (§5.7)', () => {
  const SPECIAL: SearchQuery = { ...EPISODE, season: 0, episode: 1 };
  const special = feed([item('Caminandes.S00E01-INV', 'a', { season: 0, episode: 1 })]);
  const whole = feed([item('Caminandes.S01E01-INV', 'b', { season: 'S01', episode: 1 })]);

  it('are asked for by a plain zero, and no more where that does', async () => {
    const { ask, queries } = await setUp(() => special);
    expect(names(await ask(SPECIAL))).toEqual(['Caminandes.S00E01-INV']);
    expect(queries().map(({ season }) => season)).toEqual(['0']);
  });

  it.each([
    ['lists the whole show', whole],
    ['finds nothing', feed([])],
  ])('are asked for by two zeros where a plain one %s', async (_case, plain) => {
    const { ask, queries } = await setUp(({ season }) => (season === '00' ? special : plain));
    expect(names(await ask(SPECIAL))).toEqual(['Caminandes.S00E01-INV']);
    expect(queries().map(({ season }) => season)).toEqual(['0', '00']);
  });

  it('are the only ones asked for twice', async () => {
    const { ask, queries } = await setUp(() => feed([]));
    await ask(EPISODE);
    expect(queries()).toHaveLength(1);
  });
});
