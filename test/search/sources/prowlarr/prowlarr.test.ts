import { describe, expect, it, onTestFinished } from 'vitest';
import { CAMINANDES, CATALOGUE, SINTEL } from '../../../../sandbox/index.ts';
import { standardCategories } from '../../../../sandbox/indexer/prowlarr/categories.ts';
import { ProwlarrIndexer } from '../../../../sandbox/indexer/prowlarr/indexer.ts';
import { type StartOptions, startIndexer } from '../../../../sandbox/indexer/start.ts';
import { prowlarrSource } from '../../../../src/search/sources/prowlarr/index.ts';
import type { MemberSource, SearchAnswer, SearchQuery } from '../../../../src/search/sources/source.ts';
import {
  SourceUnavailableError,
  type Unavailability,
} from '../../../../src/search/sources/unavailability.ts';
import { serve } from '../../../support/http-server.ts';
import { memoryLog } from '../../../support/log.ts';

/** Prowlarr as protocols.md §7 describes it, and the sandbox plays it. */
const KEY = 'prowlarr-key-3b71c9';
const FILM: SearchQuery = { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: SINTEL.imdb } };
const SHOW: SearchQuery = {
  kind: 'series',
  area: 'series',
  id: { kind: 'tvdb', value: CAMINANDES.tvdb ?? '' },
};
const TEXT: SearchQuery = { kind: 'text', area: 'movies', text: 'sintel' };
const REFUSES_KEY = { code: 100, description: 'Incorrect user credentials' };
const { signal } = new AbortController();

const sourceAt = (url: string, log = memoryLog()) =>
  prowlarrSource(
    {
      id: 'p',
      name: 'Home',
      url,
      apiKey: KEY,
      timeout: 5_000,
      memberTimeout: 5_000,
      cacheFolder: 'unused',
    },
    log,
  );

const membersAt = async (url: string) => {
  const members = await sourceAt(url).members(signal);
  return 'isAggregate' in members ? [] : members;
};

async function setUp(options: Partial<StartOptions> = {}, path = '') {
  const times = { betweenQueries: 0, betweenTries: 0 };
  const service = await startIndexer('prowlarr', { apiKey: KEY, prowlarr: { times }, ...options });
  onTestFinished(() => service.close());
  const members = () => membersAt(`${service.url}${path}`);
  const [meadow, burrow] = await members();
  if (meadow === undefined || burrow === undefined) throw new Error('two indexers of usenet are on');
  /** Of the searches, the oldest first. */
  const asked = () =>
    service.requests.filter(({ query, path: at }) => at.endsWith('/api') && query['t'] !== 'caps');
  return { service, members, meadow, burrow, asked };
}

async function list(member: MemberSource, query = FILM): Promise<SearchAnswer> {
  const answer = await member.ask(query, signal);
  if (answer === 'unsupported') throw new Error('it does not know this query');
  return answer;
}

/** What kept it from being asked. */
async function refused(asking: Promise<unknown>): Promise<Unavailability> {
  const error = await asking.catch((reason: unknown) => reason);
  if (!(error instanceof SourceUnavailableError)) throw new Error(`it was asked: ${String(error)}`);
  return error.unavailability;
}

describe('the indexers of Prowlarr (§7.5)', () => {
  it('are sources of their own: those of usenet that are on', async () => {
    const { members } = await setUp();
    expect((await members()).map(({ id, name, manager }) => [id, name, manager.name])).toEqual([
      ['p/3', 'Meadow', 'Home'],
      ['p/7', 'Burrow', 'Home'],
    ]);
  });

  it('are asked for at each search: who was added is there, and who was deleted is not', async () => {
    const { members, service } = await setUp();
    service.indexers.splice(0, 1);
    service.indexers.push(new ProwlarrIndexer({ id: 12, name: 'Meadow' }));
    expect((await members()).map(({ id }) => id)).toEqual(['p/7', 'p/12']);
  });

  it('can be asked by what each of them knows', async () => {
    const { members, service } = await setUp();
    service.indexers[0]!.support = { movie: ['q'], tv: ['q'] };
    const all = await Promise.all((await members()).map((member) => member.capabilities(signal)));
    expect(all).toMatchObject([
      { movieIds: [], seriesIds: [], episodeNumbers: false },
      { movieIds: ['imdb'], seriesIds: ['tvdb', 'imdb'], episodeNumbers: true },
    ]);
  });

  it('have a place by which one that is set up as such is known, also where fields are empty', async () => {
    const url = await serve((_request, response) => {
      const fields = (baseUrl: string) => [
        { name: 'baseUrl', value: baseUrl },
        { name: 'additionalParameters' },
      ];
      const row = { enable: true, protocol: 'usenet' };
      response.end(
        JSON.stringify([
          { ...row, id: 1, name: 'A', fields: fields('https://api.Indexer.example/') },
          { ...row, id: 2, name: 'B', fields: fields('http://127.0.0.1:7000/newznab') },
          { ...row, id: 3, name: 'C' },
        ]),
      );
    });
    expect((await membersAt(url)).map(({ place }) => place)).toEqual([
      'indexer.example',
      '127.0.0.1:7000',
      undefined,
    ]);
  });

  it('cannot be asked where there is none', async () => {
    const { members, service } = await setUp();
    for (const indexer of service.indexers) indexer.enable = false;
    await expect(members()).rejects.toMatchObject({
      code: 'SERVICE_ERROR',
      explanation: { what: 'Prowlarr (Home) has no usenet indexer that is switched on.' },
    });
  });
});

describe('a query (§7.3)', () => {
  it.each<[string, SearchQuery, Record<string, string>]>([
    ['an IMDb id without categories', FILM, { t: 'movie', imdbid: SINTEL.imdb.slice(2) }],
    [
      'a TVDb id and numbers',
      { ...SHOW, season: 1, episode: 2 },
      { t: 'tvsearch', tvdbid: '990001', season: '1', ep: '2' },
    ],
    ['a season without an episode', { ...SHOW, season: 1 }, { t: 'tvsearch', tvdbid: '990001', season: '1' }],
    [
      'text with numbers in the category of series',
      { kind: 'series', area: 'series', text: 'caminandes', season: 0, episode: 3 },
      { t: 'tvsearch', q: 'caminandes', season: '0', ep: '3', cat: '5000' },
    ],
    [
      'a daily show',
      { kind: 'series', area: 'series', text: 'caminandes', date: '2026-07-29' },
      { t: 'tvsearch', q: 'caminandes', season: '2026', ep: '07/29', cat: '5000' },
    ],
    [
      'anime by its own category alone',
      { kind: 'text', area: 'anime', text: 'caminandes 28' },
      { t: 'search', q: 'caminandes 28', cat: '5070' },
    ],
  ])('sends %s, once', async (_case, query, parameters) => {
    const { meadow, asked } = await setUp();
    await meadow.ask(query, signal);
    expect(asked().map((each) => each.query)).toEqual([{ ...parameters, extended: '1', limit: '100' }]);
  });

  it('asks that indexer alone, and has the key in no address', async () => {
    const { meadow, service, asked } = await setUp();
    await list(meadow);
    expect(asked().map(({ path }) => path)).toEqual(['/3/api']);
    expect(service.indexers.map(({ queries }) => queries.length)).toEqual([1, 0, 0, 0]);
    expect(JSON.stringify(service.requests.map(({ path, query }) => [path, query]))).not.toContain(KEY);
  });

  it('finds what an indexer has filed elsewhere', async () => {
    const { service, members } = await setUp();
    service.indexers[0]!.posts = CATALOGUE.filter(({ of }) => of === SINTEL).map((release) => ({
      ...release,
      categories: [8010],
    }));
    const [meadow] = await members();
    expect((await list(meadow!)).postings).toHaveLength(3);
  });

  it('names no category that an indexer does not have: Prowlarr would not ask it', async () => {
    const { members, service } = await setUp();
    service.indexers[0]!.categories = standardCategories(8010, 8000);
    const [meadow] = await members();
    await meadow?.ask(TEXT, signal);
    expect(service.indexers[0]?.queries).toHaveLength(1);
  });

  it.each(['/', '/api', '/api/v1', '/api/v1/search?query=x', '/3/api?t=caps'])(
    'finds the API where %s was pasted too',
    async (path) => {
      const { meadow } = await setUp({}, path);
      expect((await list(meadow, TEXT)).postings.length).toBeGreaterThan(0);
    },
  );

  it('goes through the path of a proxy', async () => {
    const { meadow } = await setUp({ urlBase: '/prowlarr' });
    expect((await list(meadow, TEXT)).postings.length).toBeGreaterThan(0);
  });
});

describe('a row (§7.3)', () => {
  it('names the indexer, and the manager that its link leads through', async () => {
    const { meadow, burrow } = await setUp();
    const links = [await list(meadow), await list(burrow)].flatMap(({ postings }) =>
      postings.map(({ link }) => link),
    );
    expect(new Set(links.map(({ indexer }) => indexer))).toEqual(new Set(['Meadow', 'Burrow']));
    for (const link of links)
      expect(link).toMatchObject({ source: 'p', manager: { software: 'Prowlarr', who: 'Prowlarr (Home)' } });
  });

  it('takes 0 grabs and ids that are 0 for not known', async () => {
    const { service, members } = await setUp();
    const [release] = CATALOGUE.filter(({ of }) => of === SINTEL);
    service.indexers[0]!.posts = [{ ...release!, grabs: 0, of: { ...SINTEL, tmdb: '0' } }];
    const [meadow] = await members();
    const [posting] = (await list(meadow!)).postings;
    expect(posting).not.toHaveProperty('grabs');
    expect(posting?.claims).toEqual({ imdb: SINTEL.imdb });
  });

  it('leads downloads to the address that has just answered, whatever host they name (§7.4)', async () => {
    const { meadow, service } = await setUp({ linkBase: 'http://prowlarr.invalid', urlBase: '/prowlarr' });
    const [posting] = (await list(meadow, TEXT)).postings;
    expect(posting?.link.url).toMatch(new RegExp(`^${service.url}/3/download\\?`));
  });
});

describe('an indexer that Prowlarr does not ask (§7.3)', () => {
  it('rests from the answer on in which it failed, and until when', async () => {
    const { meadow, service } = await setUp();
    service.indexers[0]!.search = REFUSES_KEY;
    for (let n = 0; n < 2; n++) {
      const standing = await refused(meadow.ask(FILM, signal));
      expect(standing).toMatchObject({ kind: 'rests', rest: { reason: 'failures', why: 'it failed' } });
      if (standing.kind !== 'rests') continue;
      expect(Math.abs(standing.rest.until - Date.now() - 60_000)).toBeLessThan(5_000);
    }
    expect(service.indexers[0]?.queries).toHaveLength(1);
  });

  it('is told apart where its limit is used up', async () => {
    const { meadow, service } = await setUp();
    service.indexers[0]!.queryLimit = 1;
    await list(meadow);
    expect(await refused(meadow.ask(FILM, signal))).toMatchObject({
      kind: 'rests',
      rest: { reason: 'limit', why: 'its limit of 1 in 24 h, set there, is used up' },
    });
  });

  it('may be switched off or gone since it was listed', async () => {
    const { meadow, burrow, service } = await setUp();
    service.indexers[0]!.enable = false;
    service.indexers.splice(1, 1);
    const told = [await refused(meadow.ask(FILM, signal)), await refused(burrow.ask(FILM, signal))];
    expect(told.map((each) => each.kind === 'failed' && each.failure.explanation.what)).toEqual([
      'The indexer Meadow is switched off in Prowlarr (Home).',
      'The indexer Burrow is no longer there in Prowlarr (Home).',
    ]);
  });

  it('is looked at without a query of its own', async () => {
    const { meadow, service } = await setUp();
    expect(await meadow.checkAvailability(signal)).toBeUndefined();
    service.indexers[0]!.search = REFUSES_KEY;
    await refused(meadow.ask(FILM, signal));
    const queries = service.indexers[0]!.queries.length;
    expect(await meadow.checkAvailability(signal)).toMatchObject({
      kind: 'rests',
      rest: { reason: 'failures' },
    });
    expect(service.indexers[0]?.queries).toHaveLength(queries);
  });
});

describe('an error (§7.1)', () => {
  it('of its key is told of Prowlarr, not of the indexer, also where the search is refused', async () => {
    const { meadow, service } = await setUp();
    service.faults.wire = [{ kind: 'wrong-key' }];
    await expect(meadow.ask(FILM, signal)).rejects.toThrow(
      /AUTH_FAILED: Prowlarr \(Home\) refused the API key/,
    );
  });

  it('of Prowlarr that is away is told of Prowlarr', async () => {
    const { meadow, service } = await setUp();
    await service.close();
    await expect(meadow.ask(FILM, signal)).rejects.toThrow(
      /UNREACHABLE: Prowlarr \(Home\) cannot be reached/,
    );
  });

  it.each<[number, string, string]>([
    [401, '', 'AUTH_FAILED'],
    [401, '{"error":"Unauthorized"}', 'AUTH_FAILED'],
    [400, '{"message":"Search failed","description":"at x"}', 'BAD_ANSWER'],
    [400, '[{"propertyName":"limit","errorMessage":"The value is not valid."}]', 'BAD_ANSWER'],
    [429, '{"message":"Too many requests"}', 'RATE_LIMITED'],
    [500, '{"message":"database is locked","description":"x"}', 'SERVICE_ERROR'],
    [503, '{"errorMessage":"Prowlarr is starting up, please try again later"}', 'SERVICE_ERROR'],
    [404, '{"message":"NotFound"}', 'BAD_ANSWER'],
    [200, '{"rows":[]}', 'BAD_ANSWER'],
    [200, '[{"guid":"x"', 'BAD_ANSWER'],
  ])('%i %s becomes %s', async (status, body, code) => {
    const url = await serve((_request, response) => response.writeHead(status).end(body));
    await expect(membersAt(url)).rejects.toMatchObject({ code });
  });

  it.each([
    [JSON.stringify({ message: 'database is locked', description: `Exception\n${'   at X\n'.repeat(400)}` })],
    [JSON.stringify({ title: 'Errors', errors: { season: ['database is locked'] }, traceId: '00-1' })],
  ])('shows its message and nothing of its stack', async (body) => {
    const url = await serve((_request, response) => response.writeHead(500).end(body));
    const error = String(await membersAt(url).catch((reason: unknown) => reason));
    expect(error).toContain('database is locked');
    expect(error).not.toMatch(/at X|traceId|description/);
  });

  it('says where the key is', async () => {
    const url = await serve((_request, response) => response.writeHead(401).end());
    await expect(membersAt(url)).rejects.toThrow(/Prowlarr \(Home\) refused the API key/);
  });
});
