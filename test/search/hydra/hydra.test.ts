import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CAMINANDES, SINTEL } from '../../../sandbox/index.ts';
import { type StartOptions, startIndexer } from '../../../sandbox/indexer/start.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { hydraSource } from '../../../src/search/hydra/index.ts';
import { openRests } from '../../../src/search/rest.ts';
import { startSearch } from '../../../src/search/run.ts';
import type { SearchQuery } from '../../../src/search/source.ts';
import { memoryLog } from '../../support/log.ts';
import { capsXml, errorXml, feed, item, newznabServer } from '../newznab/server.ts';

/** NZBHydra2 as protocols.md §6 describes it. */
const KEY = 'hydra-key-80ff21';
const FILM: SearchQuery = { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: SINTEL.imdb } };
const signal = new AbortController().signal;

async function cacheFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hydra-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function setUp(options: Partial<StartOptions> = {}) {
  const service = await startIndexer('hydra', { apiKey: KEY, ...options });
  onTestFinished(() => service.close());
  const source = await sourceAt(service.url);
  const postings = async (query = FILM) => {
    const answer = await source.ask(query, signal);
    return answer === 'unsupported' ? [] : answer.postings;
  };
  return { service, source, postings };
}

const sourceAt = async (url: string, id = 'h') =>
  hydraSource(
    { id, name: 'Home', url, apiKey: KEY, timeout: 45_000, cacheFolder: await cacheFolder() },
    memoryLog(),
  );

describe('hydraSource', () => {
  it('names the indexer behind it that has the post (§6.2)', async () => {
    const { postings } = await setUp();
    expect(new Set((await postings()).map(({ link }) => link.indexer))).toEqual(
      new Set(['Meadow', 'Burrow']),
    );
  });

  it('takes the ids of rows as they are: negative, and beyond what a number holds (§6.2)', async () => {
    const { postings } = await setUp();
    const ids = (await postings()).map(({ link }) => /getnzb\/api\/(-?\d+)\?/.exec(link.url)?.[1] ?? '');
    expect(ids.some((id) => id.startsWith('-'))).toBe(true);
    expect(ids.every((id) => BigInt(id) > 2n ** 53n || BigInt(id) < -(2n ** 53n))).toBe(true);
  });

  it('knows a post again by its id, which is the same in every search (§6.2)', async () => {
    const { postings } = await setUp();
    const [first, second] = [await postings(), await postings()];
    expect(first.map(({ link }) => link.guid)).toEqual(second.map(({ link }) => link.guid));
    expect(first.map(({ link }) => link.url)).toEqual(second.map(({ link }) => link.url));
  });

  it('leads links to the address that has just answered, whatever host they name (§6.2)', async () => {
    const { postings, service } = await setUp({
      linkBase: 'http://hydra.invalid:5076',
      urlBase: '/nzbhydra2',
    });
    const [posting] = await postings();
    expect(posting?.link.url.startsWith(`${service.url}/getnzb/api/`)).toBe(true);
    expect(await (await fetch(posting?.link.url ?? '')).text()).toContain(posting?.name);
  });

  it('leaves links alone that lead to an indexer', async () => {
    const server = await newznabServer(() =>
      feed(['<item><title>x</title><link>http://indexer.example/get/1</link><guid>g</guid></item>']),
    );
    const source = await sourceAt(server.url);
    expect(await source.ask(FILM, signal)).toMatchObject({
      postings: [{ link: { url: 'http://indexer.example/get/1', indexer: 'Home', guid: 'g' } }],
    });
  });

  it('sends the season as an integer, specials as one zero and once (§6.1)', async () => {
    const { source, service } = await setUp();
    const show: SearchQuery = {
      kind: 'series',
      area: 'series',
      id: { kind: 'tvdb', value: CAMINANDES.tvdb ?? '' },
    };
    await source.ask({ ...show, season: 1 }, signal);
    await source.ask({ ...show, season: 0, episode: 1 }, signal);
    const seasons = service.requests.flatMap(({ query }) => query['season'] ?? []);
    expect(seasons).toEqual(['1', '0']);
  });

  it('goes by its caps, and where they cannot be had takes all ids for convertible (§6.1)', async () => {
    const { source } = await setUp();
    expect(await source.abilities(signal)).toMatchObject({
      movieIds: ['imdb', 'tmdb'],
      seriesIds: ['tvdb', 'tvmaze', 'imdb'],
    });
    const poor = await newznabServer(() => capsXml('q', 'q,season,ep,tvdbid', 'q'));
    expect(await (await sourceAt(poor.url)).abilities(signal)).toMatchObject({
      movieIds: [],
      seriesIds: ['tvdb'],
    });
    const silent = await newznabServer(() => ({ status: 500, body: '' }));
    expect((await (await sourceAt(silent.url)).abilities(signal)).seriesIds).toHaveLength(4);
  });

  it('sees a wrong key behind status 200, also in its caps (§6.1), and says where the right one is', async () => {
    const server = await newznabServer(() => errorXml(100, 'Wrong api key'));
    const error = await (await sourceAt(server.url)).abilities(signal).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'AUTH_FAILED',
      explanation: { what: 'NZBHydra2 (Home) refused the API key.' },
    });
    expect(JSON.stringify(error)).toMatch(/settings of Slipstream.*NZBHydra2 under Config/);
  });

  describe('of more than a page (§5.6)', () => {
    const all = Array.from({ length: 250 }, (_, n) => item(`Sintel.2010-INV${n}`, `g${n}`));
    type Give = (offset: number) => string | { status: number; body: string };
    const search = async (give: Give) => {
      const server = await newznabServer(({ t, offset }) =>
        t === 'caps' ? capsXml('q', 'q', 'q,imdbid') : give(Number(offset ?? 0)),
      );
      const answer = await (await sourceAt(server.url)).ask(FILM, signal);
      const offsets = server.queries.filter(({ t }) => t !== 'caps').map(({ offset }) => offset);
      if (answer === 'unsupported') return { count: 0, offsets };
      const { postings, failure } = answer;
      return { count: postings.length, offsets, ...(failure && { code: failure.code }) };
    };
    const page = (offset: number, total: number) => feed(all.slice(offset, offset + 100), total);

    it('reads all pages', async () => {
      expect(await search((offset) => page(offset, 250))).toEqual({
        count: 250,
        offsets: [undefined, '100', '200'],
      });
    });

    it('is not kept going by a total that is untrue', async () => {
      expect(await search((offset) => page(offset, 5000))).toMatchObject({ count: 250 });
      const endless = (offset: number) => feed([item(`Sintel.2010-INV${offset}`, `g${offset}`)], 5000);
      expect((await search(endless)).offsets).toHaveLength(5);
    });

    it('sees that the offset is ignored', async () => {
      expect(await search(() => page(0, 250))).toEqual({ count: 100, offsets: [undefined, '100'] });
    });

    it('keeps what it has when a further page fails', async () => {
      const failing = await search((offset) => (offset === 0 ? page(0, 250) : { status: 500, body: '' }));
      expect(failing).toEqual({ count: 100, offsets: [undefined, '100'] });
    });

    it.each([
      ['a limit', { status: 429, body: '' }, 'RATE_LIMITED'],
      ['a limit in words', errorXml(500, 'Request limit reached'), 'RATE_LIMITED'],
      ['a refused key', errorXml(100, 'Wrong api key'), 'AUTH_FAILED'],
    ])('keeps what it has, asks no further, and tells of %s', async (_case, reply, code) => {
      const give = (offset: number) => (offset < 200 ? page(offset, 400) : reply);
      expect(await search(give)).toEqual({ count: 200, offsets: [undefined, '100', '200'], code });
    });

    it('brings a rest and no further query of the same search, nor of the next, when a limit is met', async () => {
      const limit = { status: 429, body: '', headers: { 'retry-after': '3600' } };
      const others = Array.from({ length: 100 }, (_, n) => item(`Spring.2019.1080p-INV${n}`, `s${n}`));
      const server = await newznabServer(({ t, offset }) => {
        if (t === 'caps') return capsXml('q', 'q', 'q,imdbid');
        return offset === undefined ? feed(others, 300) : limit;
      });
      const [folder, log] = [await cacheFolder(), memoryLog()];
      const rests = openRests({ folder, log });
      const source = await sourceAt(server.url, 'limited-hydra');
      const film: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: { imdb: SINTEL.imdb } };
      const states = [];
      for (let run = 0; run < 2; run++) {
        const running = startSearch(film, [source], { signal, log, rests, patience: { spacing: 0 } });
        await running.finished;
        states.push(running.state.sources[0]);
        await running.close();
      }
      expect(server.queries.filter(({ t }) => t !== 'caps')).toHaveLength(2);
      expect(states).toMatchObject([
        { state: 'failed', found: 100, failure: { code: 'RATE_LIMITED' }, rest: { reason: 'limit' } },
        { state: 'resting', rest: { reason: 'limit' } },
      ]);
    });

    it('reads no more of one that has ignored the id', async () => {
      expect((await search((offset) => page(offset, 10_000))).offsets).toHaveLength(1);
    });
  });

  it('takes its unexpected errors for its own (§6.1)', async () => {
    const server = await newznabServer(({ t }) =>
      t === 'caps' ? capsXml('q', 'q', 'q,imdbid') : errorXml(900, 'java.lang.NullPointerException'),
    );
    await expect((await sourceAt(server.url)).ask(FILM, signal)).rejects.toMatchObject({
      code: 'SERVICE_ERROR',
      transient: true,
    });
  });
});
