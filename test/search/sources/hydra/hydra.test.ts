import { describe, expect, it, onTestFinished } from 'vitest';
import { CAMINANDES, CATALOGUE, SINTEL } from '../../../../sandbox/index.ts';
import { HydraIndexer } from '../../../../sandbox/indexer/hydra/indexer.ts';
import { HYDRA_TIMES } from '../../../../sandbox/indexer/hydra/settings.ts';
import { type StartOptions, startIndexer } from '../../../../sandbox/indexer/start.ts';
import { hydraSource } from '../../../../src/search/sources/hydra/index.ts';
import type {
  MemberSource,
  SearchAnswer,
  SearchQuery,
  SearchSource,
} from '../../../../src/search/sources/source.ts';
import { serve } from '../../../support/http-server.ts';
import { memoryLog } from '../../../support/log.ts';
import { newFolder } from '../../folder.ts';
import { capsXml, errorXml, feed, item, newznabServer } from '../newznab/server.ts';

/** NZBHydra2 as protocols.md §6 describes it, and the sandbox plays it. */
const KEY = 'hydra-key-80ff21';
const IMDB = { kind: 'imdb', value: SINTEL.imdb } as const;
const TMDB = { kind: 'tmdb', value: SINTEL.tmdb } as const;
const FILM: SearchQuery = { kind: 'movie', area: 'movies', id: IMDB };
const TEXT: SearchQuery = { kind: 'text', area: 'movies', text: 'sintel' };
const { signal } = new AbortController();

const sourceAt = async (url: string, cacheFolder?: string) =>
  hydraSource(
    {
      id: 'h',
      name: 'Home',
      url,
      apiKey: KEY,
      timeout: 45_000,
      memberTimeout: 20_000,
      cacheFolder: cacheFolder ?? (await newFolder()),
    },
    memoryLog(),
  );

async function setUp(hydraIndexers?: readonly HydraIndexer[], options: Partial<StartOptions> = {}) {
  const service = await startIndexer('hydra', {
    apiKey: KEY,
    ...(hydraIndexers && { hydraIndexers }),
    hydra: { times: { ...HYDRA_TIMES, limit: 1_000 } },
    ...options,
  });
  onTestFinished(() => service.close());
  const cacheFolder = await newFolder();
  const source = await sourceAt(service.url, cacheFolder);
  const members = async (of = source): Promise<readonly MemberSource[]> => {
    const behind = await of.members(signal);
    if ('isAggregate' in behind) throw new Error('they are asked as one');
    return behind;
  };
  /** Of the searches, the oldest first. */
  const asked = () => service.requests.filter(({ query }) => 't' in query && query['t'] !== 'caps');
  return { service, source, members, asked, cacheFolder };
}

async function jointAt(url: string): Promise<SearchSource> {
  const behind = await (await sourceAt(url)).members(signal);
  if (!('isAggregate' in behind)) throw new Error('it tells them apart');
  return behind;
}

async function list(source: SearchSource | undefined, query = FILM): Promise<SearchAnswer> {
  const answer = await source?.ask(query, signal);
  if (answer === undefined || answer === 'unsupported') throw new Error('it does not know this query');
  return answer;
}

/** A list with all that a further query brings. */
async function wholeList(source: SearchSource | undefined): Promise<SearchAnswer> {
  const first = await list(source);
  const rest = await first.fetchRest?.(signal);
  return rest === undefined ? first : { ...rest, postings: [...first.postings, ...rest.postings] };
}

/** The list is sorted by state. */
const named = (members: readonly MemberSource[], name: string) => members.find((each) => each.name === name);

const films = CATALOGUE.filter(({ of }) => of === SINTEL);
const behind = (name: string, more: object = {}) => new HydraIndexer({ name, posts: films, ...more });

describe('the indexers behind NZBHydra2 (§6.4)', () => {
  it('are sources of their own: all that the person has not switched off', async () => {
    const { members } = await setUp([behind('Good1'), behind('Off', { enable: false }), behind('Good2')]);
    expect((await members()).map(({ id, name, manager }) => [id, name, manager])).toEqual([
      ['h/Good1', 'Good1', { id: 'h', name: 'Home' }],
      ['h/Good2', 'Good2', { id: 'h', name: 'Home' }],
    ]);
  });

  it('are asked by name, each with an age that no other has: their further pages would be mixed up', async () => {
    const { members, asked, service } = await setUp([behind('Good1'), behind('Good2')]);
    for (const member of await members()) await list(member);
    expect(asked().map(({ path, query }) => [path, query['indexers'], query['maxage']])).toEqual([
      ['/api', 'Good1', '20001'],
      ['/api', 'Good2', '20002'],
    ]);
    expect(service.hydraIndexers.map(({ queries }) => queries.length)).toEqual([1, 1]);
  });

  it('are asked by the path where the name has a comma, by the parameter where it has a slash', async () => {
    const { members, asked } = await setUp([behind('Tom, Jerry'), behind('a/b c')]);
    for (const member of await members()) expect((await list(member)).postings).toHaveLength(3);
    expect(asked().map(({ path, query }) => [path, query['indexers']])).toEqual([
      ['/api/Tom%2C%20Jerry', undefined],
      ['/api', 'a/b c'],
    ]);
  });

  it('are all there are, also where one has a state that nobody knows', async () => {
    const row = { indexer: 'Good', state: 'ENABLED', apiHits: 1, disabledUntil: null };
    const url = await serve((_request, response) => {
      response.end(JSON.stringify([row, { ...row, indexer: 'Odd', state: 'DISABLED_BY_MAGIC' }]));
    });
    const behindIt = await (await sourceAt(url)).members(signal);
    expect('isAggregate' in behindIt || behindIt.map(({ name }) => name)).toEqual(['Good']);
  });

  it.each([502, 503, 504])('are not asked as one where a proxy says %i', async (status) => {
    const url = await serve((_request, response) => response.writeHead(status).end('Bad Gateway'));
    await expect((await sourceAt(url)).members(signal)).rejects.toMatchObject({ code: 'SERVICE_ERROR' });
  });

  it('are asked as one where the address leads on to HTTPS: the list is not asked for twice', async () => {
    const url = await serve((request, response) =>
      response.writeHead(301, { location: `https://127.0.0.1:1${request.url ?? ''}` }).end(),
    );
    expect('isAggregate' in (await (await sourceAt(url)).members(signal))).toBe(true);
  });

  it('are asked as one where a name has both, and where the list may not be had', async () => {
    const both = await setUp([behind('a,b/c'), behind('Good')]);
    expect((await list(await jointAt(both.service.url))).postings).toHaveLength(3);
    const forbidden = await setUp([behind('Good')], { hydra: { allowApiStats: false } });
    expect((await list(await jointAt(forbidden.service.url))).postings).toHaveLength(3);
  });

  it('cannot be asked where there is none', async () => {
    const { members } = await setUp([behind('Off', { enable: false })]);
    await expect(members()).rejects.toMatchObject({ code: 'SERVICE_ERROR' });
  });

  it('are known by their hosts once a row of theirs has told it', async () => {
    const { source, members, service, cacheFolder } = await setUp([
      behind('Good1', { baseUrl: 'https://api.indexer.example/' }),
    ]);
    const [first] = await members();
    expect(first?.place).toBeUndefined();
    await list(first);
    const again = await sourceAt(service.url, cacheFolder);
    for (const each of [source, again]) {
      expect((await members(each)).map(({ place }) => place)).toEqual(['indexer.example']);
    }
  });
});

describe('an indexer that NZBHydra2 does not ask (§6.4)', () => {
  it('is told with its reason, and until when, from the next search on', async () => {
    const { members, service } = await setUp([
      behind('R429', { search: { status: 429 } }),
      behind('BadKey', { search: { code: 100, description: 'Incorrect user credentials' } }),
      behind('Limit', { apiHitLimit: 1 }),
      behind('Good'),
    ]);
    for (const member of await members()) await member.ask(FILM, signal);
    const now = await members();
    const [rests, refused, limited, good] = ['R429', 'BadKey', 'Limit', 'Good'].map(
      (name) => named(now, name)?.unavailability,
    );
    expect(rests).toMatchObject({ kind: 'rests', rest: { reason: 'failures' } });
    if (rests?.kind === 'rests') {
      expect(rests.rest.why).toMatch(/^it failed: Server returned: Too Many Requests/);
      expect(Math.abs(rests.rest.until - Date.now() - 300_000)).toBeLessThan(10_000);
    }
    expect(refused).toMatchObject({ kind: 'failed', failure: { code: 'AUTH_FAILED' } });
    expect(refused?.kind === 'failed' && refused.failure.explanation.what).toMatch(
      /^NZBHydra2 \(Home\) has switched the indexer BadKey off: Indexer refused authentication/,
    );
    expect(limited).toMatchObject({ kind: 'failed', failure: { code: 'RATE_LIMITED' } });
    expect(good).toBeUndefined();
    expect(service.hydraIndexers.map(({ queries }) => queries.length)).toEqual([1, 1, 1, 1]);
  });

  it('is looked at without a query of its own', async () => {
    const { members, service } = await setUp([behind('Dead', { search: 'dead' })]);
    const [dead] = await members();
    expect(await dead?.checkAvailability(signal)).toBeUndefined();
    expect((await list(dead)).postings).toEqual([]);
    expect(await dead?.checkAvailability(signal)).toMatchObject({ kind: 'rests' });
    expect(service.hydraIndexers[0]?.queries).toHaveLength(1);
  });
});

describe('a query (§6.1)', () => {
  it('has all ids of a work, joint or by name, and no categories', async () => {
    const query = { ...FILM, otherIds: [TMDB] };
    const { members, asked, service } = await setUp([
      behind('ByTmdb', { support: { movie: ['tmdbid'], tv: [] } }),
      behind('Hd', { categories: ['Movies HD'] }),
    ]);
    for (const member of await members()) expect((await list(member, query)).postings).toHaveLength(3);
    const wanted = { imdbid: SINTEL.imdb.slice(2), tmdbid: SINTEL.tmdb };
    for (const each of asked()) {
      expect(each.query).toMatchObject(wanted);
      expect(each.query).not.toHaveProperty('cat');
    }
    service.hydra.allowApiStats = false;
    expect((await list(await jointAt(service.url), query)).postings).toHaveLength(3);
    expect(asked().at(-1)?.query).toMatchObject(wanted);
  });

  it('takes the id of TMDb for one that series are found by, although its caps leave it out', async () => {
    const { members } = await setUp();
    const [member] = await members();
    expect(await member?.capabilities(signal)).toMatchObject({
      seriesIds: ['tvdb', 'tvmaze', 'tmdb', 'imdb'],
      idsTogether: true,
    });
  });

  it('is one that an indexer does not know where NZBHydra2 did not pass it on', async () => {
    const textOnly = behind('TextOnly', { support: { movie: ['q'], tv: ['q'] } });
    const { members, service, asked } = await setUp([textOnly, behind('Good')]);
    const member = named(await members(), 'TextOnly');
    expect(await member?.ask(FILM, signal)).toBe('unsupported');
    expect([asked().length, service.hydraIndexers[0]?.queries.length]).toEqual([1, 0]);
    expect((await list(member, TEXT)).postings).toHaveLength(3);
  });

  it('that was passed on and found nothing is answered', async () => {
    const { members } = await setUp([behind('Empty', { posts: [] })]);
    const [member] = await members();
    for (const query of [FILM, TEXT, FILM]) expect(await list(member, query)).toMatchObject({ postings: [] });
  });

  it('by text reaches one that is on for a part of the category', async () => {
    const { members } = await setUp([behind('Hd', { categories: ['Movies HD'] })]);
    const [member] = await members();
    expect((await list(member, TEXT)).postings).toHaveLength(3);
  });

  it('for anime names its category alone', async () => {
    const { members, asked } = await setUp();
    const [member] = await members();
    await member?.ask({ kind: 'text', area: 'anime', text: 'caminandes 28' }, signal);
    expect(asked()[0]?.query['cat']).toBe('5070');
  });

  it('sends the season as an integer, specials as one zero and once', async () => {
    const { service } = await setUp(undefined, { hydra: { allowApiStats: false } });
    const joint = await jointAt(service.url);
    const id = { kind: 'tvdb', value: CAMINANDES.tvdb ?? '' } as const;
    const show: SearchQuery = { kind: 'series', area: 'series', id };
    await joint.ask({ ...show, season: 1 }, signal);
    await joint.ask({ ...show, season: 0, episode: 1 }, signal);
    expect(service.requests.flatMap(({ query }) => query['season'] ?? [])).toEqual(['1', '0']);
  });
});

describe('a row (§6.2)', () => {
  it('names the indexer behind it, and the manager that its link leads through', async () => {
    const { service } = await setUp(undefined, { hydra: { allowApiStats: false } });
    const { postings } = await list(await jointAt(service.url));
    expect(new Set(postings.map(({ link }) => link.indexer))).toEqual(new Set(['Meadow', 'Burrow']));
    for (const { link } of postings)
      expect(link).toMatchObject({
        source: 'h',
        manager: { software: 'NZBHydra2', who: 'NZBHydra2 (Home)' },
      });
  });

  it('has an id beyond what a number holds, the same in each search', async () => {
    const { members } = await setUp([behind('Good')]);
    const [member] = await members();
    const [first, second] = [await list(member), await list(member)];
    const guids = first.postings.map(({ link }) => link.guid);
    expect(second.postings.map(({ link }) => link.guid)).toEqual(guids);
    expect(guids.some((id) => BigInt(id) > 2n ** 53n || BigInt(id) < -(2n ** 53n))).toBe(true);
  });

  it('leads its link to the address that has just answered, whatever host it names', async () => {
    const { service, members } = await setUp(undefined, {
      linkBase: 'http://hydra.invalid:5076',
      urlBase: '/nzbhydra2',
    });
    const [member] = await members();
    const [posting] = (await list(member, TEXT)).postings;
    expect(posting?.link.url.startsWith(`${service.url}/getnzb/api/`)).toBe(true);
    expect(await (await fetch(posting?.link.url ?? '')).text()).toContain(posting?.name);
  });

  it('keeps a link that leads to an indexer', async () => {
    const server = await newznabServer(() =>
      feed(['<item><title>x</title><link>http://indexer.example/get/1</link><guid>g</guid></item>']),
    );
    expect(await list(await jointAt(server.url))).toMatchObject({
      postings: [{ link: { url: 'http://indexer.example/get/1', indexer: 'Home', guid: 'g' } }],
    });
  });
});

describe('what it says of itself (§6.1)', () => {
  it('counts, and where it cannot be had all ids are taken for convertible', async () => {
    const poor = await newznabServer(() => capsXml('q', 'q,season,ep,tvdbid', 'q'));
    expect(await (await jointAt(poor.url)).capabilities(signal)).toMatchObject({
      movieIds: [],
      seriesIds: ['tvdb', 'tmdb'],
    });
    const silent = await newznabServer(() => ({ status: 500, body: '' }));
    expect((await (await jointAt(silent.url)).capabilities(signal)).seriesIds).toHaveLength(4);
  });

  it('may be that the key is wrong, behind status 200, and then it is said where the right one is', async () => {
    const server = await newznabServer(() => errorXml(100, 'Wrong api key'));
    const error = await (await jointAt(server.url)).capabilities(signal).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'AUTH_FAILED',
      explanation: { what: 'NZBHydra2 (Home) refused the API key.' },
    });
    expect(JSON.stringify(error)).toMatch(/settings of Slipstream.*NZBHydra2 under Config/);
  });

  it('is an error of its own where it is unexpected', async () => {
    const server = await newznabServer(({ t }) =>
      t === 'caps' ? capsXml('q', 'q', 'q,imdbid') : errorXml(900, 'java.lang.NullPointerException'),
    );
    await expect((await jointAt(server.url)).ask(FILM, signal)).rejects.toMatchObject({
      code: 'SERVICE_ERROR',
      transient: true,
    });
  });
});

describe('a list of more than a page (§6.1)', () => {
  const all = Array.from({ length: 1200 }, (_, n) => item(`Sintel.2010-INV${n}`, `g${n}`));
  type Give = (limit: number) => string | { status: number; body: string; headers?: Record<string, string> };
  const search = async (give: Give) => {
    const server = await newznabServer(({ t, limit }) =>
      t === 'caps' ? capsXml('q', 'q', 'q,imdbid') : give(Number(limit)),
    );
    const answer = await wholeList(await jointAt(server.url));
    const limits = server.queries
      .filter(({ t }) => t !== undefined && t !== 'caps')
      .map(({ limit }) => limit);
    const { postings, failure, failures } = answer;
    const told = failures.map(({ explanation }) => explanation.what);
    return { count: postings.length, limits, told, ...(failure && { code: failure.code }) };
  };
  const rows = (limit: number, total: number) => feed(all.slice(0, Math.min(limit, total)), total);

  it('is had whole by one further query', async () => {
    expect(await search((limit) => rows(limit, 350))).toEqual({
      count: 350,
      limits: ['100', '1000'],
      told: [],
    });
  });

  it('is had by one query where it is no more than a page', async () => {
    expect(await search((limit) => rows(limit, 100))).toEqual({ count: 100, limits: ['100'], told: [] });
  });

  it('that is cut says so', async () => {
    expect(await search((limit) => rows(limit, 1200))).toEqual({
      count: 1000,
      limits: ['100', '1000'],
      told: ['NZBHydra2 (Home) listed only 1000 of its 1200 posts.'],
    });
  });

  it('keeps its first page when the whole cannot be had, and says so', async () => {
    const failing = (limit: number) => (limit === 100 ? rows(100, 350) : { status: 500, body: '' });
    expect(await search(failing)).toEqual({
      count: 100,
      limits: ['100', '1000'],
      told: ['NZBHydra2 (Home) listed only 100 of its 350 posts.'],
    });
  });

  it.each([
    ['a limit', { status: 429, body: '' }, 'RATE_LIMITED'],
    ['a limit in words', errorXml(500, 'Request limit reached'), 'RATE_LIMITED'],
    ['a refused key', errorXml(100, 'Wrong api key'), 'AUTH_FAILED'],
  ])('keeps its first page, and tells of %s', async (_case, reply, code) => {
    const give = (limit: number) => (limit === 100 ? rows(100, 400) : reply);
    expect(await search(give)).toMatchObject({ count: 100, limits: ['100', '1000'], code });
  });

  it('is not asked for where the id was ignored', async () => {
    expect((await search((limit) => rows(limit, 10_000))).limits).toEqual(['100']);
  });

  it('is whole at the real one, of one indexer and of all', async () => {
    const posts = Array.from({ length: 350 }, (_, n) => ({
      ...films[0]!,
      guid: `5a4db0c5-2222-4000-8000-${String(n).padStart(12, '0')}`,
      name: `Sintel.2010.1080p.WEB.H264-INV${n}`,
    }));
    const { members, service } = await setUp([behind('Large', { posts })]);
    const [member] = await members();
    expect((await wholeList(member)).postings).toHaveLength(350);
    service.hydra.allowApiStats = false;
    expect((await wholeList(await jointAt(service.url))).postings).toHaveLength(350);
  });
});

describe('the connection test of NZBHydra2', () => {
  it('has a line for each indexer that is on, none of which it asks', async () => {
    const { source, members, service } = await setUp([
      behind('Good'),
      behind('BadKey', { search: { code: 100, description: 'Incorrect user credentials' } }),
      behind('Off', { enable: false }),
    ]);
    await named(await members(), 'BadKey')?.ask(FILM, signal);
    const asked = service.hydraIndexers.map(({ queries }) => queries.length);
    const [address, ...lines] = await source.test(signal);
    expect(address).toMatchObject({ what: 'The address of Home' });
    expect(lines.map(({ what, isOneOfMany, failure }) => [what, isOneOfMany, failure?.code])).toEqual([
      ['Good by Home', true, undefined],
      ['BadKey by Home', true, 'AUTH_FAILED'],
    ]);
    expect(service.hydraIndexers.map(({ queries }) => queries.length)).toEqual(asked);
  });

  it('searches where the states may not be had', async () => {
    const { source, service } = await setUp([behind('Good')], { hydra: { allowApiStats: false } });
    expect((await source.test(signal)).at(-1)).toEqual({
      what: 'A search with the API key of Home',
      found: 'lists releases',
    });
    expect(service.hydraIndexers[0]?.queries).toHaveLength(1);
  });
});
