import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CAMINANDES, SINTEL } from '../../../sandbox/index.ts';
import { type StartOptions, startIndexer } from '../../../sandbox/indexer/start.ts';
import { hydraSource } from '../../../src/search/hydra/index.ts';
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

const sourceAt = async (url: string) =>
  hydraSource(
    { id: 'h', name: 'Home', url, apiKey: KEY, timeout: 45_000, cacheFolder: await cacheFolder() },
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
    expect(ids).toContain('-6148914691236517206');
    expect(ids.every((id) => BigInt(id) > 2n ** 53n || BigInt(id) < -(2n ** 53n))).toBe(true);
  });

  it('knows a post by its own id, not by the one that is new in every search (§6.3)', async () => {
    const { postings } = await setUp();
    const [first, second] = [await postings(), await postings()];
    expect(first.map(({ link }) => link.guid)).toEqual(second.map(({ link }) => link.guid));
    expect(first.map(({ link }) => link.url)).not.toEqual(second.map(({ link }) => link.url));
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
      seriesIds: ['tvdb', 'tvmaze', 'tmdb', 'imdb'],
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
      return { count: answer === 'unsupported' ? 0 : answer.postings.length, offsets };
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
      expect(failing.count).toBe(100);
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
