import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { SINTEL } from '../../sandbox/index.ts';
import { HYDRA_TIMES } from '../../sandbox/indexer/hydra/settings.ts';
import type { IndexerBehaviour } from '../../sandbox/indexer/member-indexer.ts';
import type { IndexerSandbox } from '../../sandbox/indexer/start.ts';
import { BY_ID, behind, KEY, many, post, SHORT, SINTELS, startHydra } from './support/hydra.ts';

describe('the ids of NZBHydra2', () => {
  it('are the same in every search and after a restart, and stand in place of the indexer’s own', async () => {
    const { service, list, download } = await startHydra();
    const first = (await list(BY_ID)).rows;
    expect((await list(BY_ID)).rows).toEqual(first);
    expect(first).toHaveLength(SINTELS.length);
    for (const { guid, attrGuid, link, comments } of first) {
      expect([attrGuid, /api\/(-?\d+)\?/.exec(link)?.[1]]).toEqual([guid, guid]);
      expect(comments).toContain('5a4db0c5-0000-4000-8000-');
      expect(await (await fetch(link)).text()).toContain('<nzb ');
    }
    const [another, guids] = [await startHydra(), first.map(({ guid }) => guid)];
    expect((await another.list(BY_ID)).rows.map(({ guid }) => guid)).toEqual(guids);
    await service.shut();
    await expect(download(guids[0]!)).rejects.toThrow();
    await service.open();
    expect((await download(guids[0]!)).headers.get('content-type')).toContain('x-nzb');
  });

  it('are signed numbers of 64 bits, some of them negative', async () => {
    const { list } = await startHydra();
    const ids = (await list('t=search&q=')).rows.map(({ guid }) => BigInt(guid));
    expect(ids.some((id) => id < 0n) && ids.some((id) => id > 2n ** 53n)).toBe(true);
    expect(ids.every((id) => BigInt.asIntN(64, id) === id)).toBe(true);
  });

  it('are forgotten with what was listed, until it is listed again', async () => {
    const { service, list, download, error } = await startHydra();
    const [row] = (await list(BY_ID)).rows;
    service.forgetResults();
    expect(await error(`/getnzb/api/${row!.guid}?apikey=${KEY}`)).toBe('200 300');
    await list(BY_ID);
    expect(await (await download(row!.guid)).text()).toContain('<nzb ');
  });
});

describe('which indexers NZBHydra2 asks', () => {
  const asked = (service: IndexerSandbox) =>
    service.hydraIndexers.filter(({ queries }) => queries.splice(0).length > 0).map(({ name }) => name);

  it('are those that are named, with their capitals, by parameter or path, not by both', async () => {
    const { service, list, error } = await startHydra();
    await list(`${BY_ID}&indexers=Meadow`);
    expect(asked(service)).toEqual(['Meadow']);
    await list(`${BY_ID}&indexers=Meadow,Burrow`);
    expect(asked(service)).toEqual(['Meadow', 'Burrow']);
    await list(BY_ID, '/api/Burrow');
    expect(asked(service)).toEqual(['Burrow']);
    for (const name of ['meadow', 'Nobody'])
      expect((await list(`${BY_ID}&indexers=${name}`)).rows).toEqual([]);
    expect(asked(service)).toEqual([]);
    expect(await error(`/api/Meadow?apikey=${KEY}&${BY_ID}&indexers=Meadow`)).toBe('200 200');
  });

  it('a comma in a name is one in the path only, a slash in the parameter only', async () => {
    const { service, get, list } = await startHydra({
      hydraIndexers: behind({ name: 'A, B' }, { name: 'C/D' }),
    });
    const by = async (query: Promise<unknown>) => {
      await query;
      return asked(service);
    };
    expect(await by(list(BY_ID, `/api/${encodeURIComponent('A, B')}`))).toEqual(['A, B']);
    expect(await by(list(`${BY_ID}&indexers=${encodeURIComponent('A, B')}`))).toEqual([]);
    expect(await by(get(`/api/C%2FD?apikey=${KEY}&${BY_ID}`))).toEqual([]);
    expect(await by(get(`/api/C/D?apikey=${KEY}&${BY_ID}`))).toEqual([]);
    expect(await by(list(`${BY_ID}&indexers=${encodeURIComponent('C/D')}`))).toEqual(['C/D']);
  });

  it('go by the one category that those of the query are mapped to', async () => {
    const { service, list } = await startHydra({
      hydraIndexers: behind(
        { name: 'All' },
        { name: 'Films', categories: ['Movies HD'] },
        { name: 'Anime', categories: ['Anime'] },
      ),
    });
    const by = async (cat: string) => {
      await list(`t=search&q=sintel${cat}`);
      const sent = service.hydraIndexers[0]!.queries.at(-1)?.get('cat');
      return [asked(service).join(), sent];
    };
    expect(await by('&cat=2000')).toEqual(['All', '2000']);
    expect(await by('&cat=2045')).toEqual(['All,Films', '2040,2045,2050,2060,2070']);
    expect(await by('&cat=5000,5070')).toEqual(['All', '5000']);
    expect(await by('&cat=5070,5000')).toEqual(['All', '5000']);
    expect(await by('&cat=5070')).toEqual(['All,Anime', '5070']);
    expect(await by('')).toEqual(['All,Films,Anime', null]);
  });

  it('get the ids that they know, and the words where they know none', async () => {
    const ids = (...movie: string[]) => ({ support: { movie: ['q', ...movie], tv: ['q', 'season', 'ep'] } });
    const { service, list } = await startHydra({
      hydraIndexers: behind(
        { name: 'Imdb', ...ids('imdbid') },
        { name: 'Tmdb', ...ids('tmdbid') },
        { name: 'Text', ...ids() },
      ),
    });
    const sent = () =>
      service.hydraIndexers.map(({ queries }) => {
        const query = queries.pop();
        return query && ['imdbid', 'tmdbid', 'q'].map((name) => query.get(name) ?? '').join('|');
      });
    await list(`t=movie&imdbid=${SINTEL.imdb}&tmdbid=${SINTEL.tmdb}`);
    expect(sent()).toEqual(['1727587||', `|${SINTEL.tmdb}|`, undefined]);
    await list(`t=movie&imdbid=${SINTEL.imdb}&q=sintel`);
    expect(sent()).toEqual(['1727587||sintel', '||sintel', '||sintel']);
  });

  it('get a TMDb id of a series, which its caps do not offer', async () => {
    const { service, list } = await startHydra();
    await list('t=tvsearch&tmdbid=9900001&season=1');
    expect(service.hydraIndexers[0]!.queries[0]!.get('tmdbid')).toBe('9900001');
  });

  it('are asked for a thousand rows from the first on, whatever it was asked itself', async () => {
    const { service, list } = await startHydra();
    await list('t=tvsearch&q=caminandes&season=00&limit=5');
    const [query] = service.hydraIndexers[0]!.queries;
    const wanted = { t: 'tvsearch', season: '0', limit: '1000', offset: '0', extended: '1', password: '1' };
    expect(Object.fromEntries(query!)).toMatchObject(wanted);
  });

  it('are none for limit=0', async () => {
    const { service, list } = await startHydra();
    expect((await list(`t=movie&imdbid=${SINTEL.imdb}&limit=0`)).rows).toEqual([]);
    expect(asked(service)).toEqual([]);
  });
});

describe('the list of NZBHydra2', () => {
  it('has a post that several have once, by the higher score, and does not count it twice', async () => {
    const { list } = await startHydra({
      hydraIndexers: behind({ name: 'Low', score: 1 }, { name: 'High', score: 2 }),
    });
    const { rows, total } = await list(BY_ID);
    expect([rows.length, total]).toEqual([SINTELS.length, SINTELS.length]);
    expect(new Set(rows.map(({ indexer }) => indexer))).toEqual(new Set(['High']));
  });

  it('loses "&" and words at the end of titles, and keeps them in the description', async () => {
    const posts = [post('Tom & Jerry 2010'), post('Sintel.2010.Trail-GRP English')];
    const { list } = await startHydra({ hydraIndexers: behind({ name: 'Odd', posts }) });
    const { rows } = await list(BY_ID);
    expect(rows.map(({ title }) => title).toSorted()).toEqual(['Sintel.2010.Trail-GRP', 'Tom  Jerry 2010']);
    expect(rows.map(({ description }) => description)).toContain('Sintel.2010.Trail-GRP English');
  });

  it('lacks all rows of an indexer that lists one without guid or enclosure, and lets it rest', async () => {
    const { service, list, states } = await startHydra();
    service.hydraIndexers[0]!.search = 'bare-item';
    const { rows } = await list(BY_ID);
    expect(new Set(rows.map(({ indexer }) => indexer))).toEqual(new Set(['Burrow']));
    expect(await states()).toMatchObject([{ state: 'DISABLED_SYSTEM_TEMPORARY' }, { state: 'ENABLED' }]);
  });

  it('comes when the slowest has answered, or the time for it is over: a dead one rests, a slow one does not', async () => {
    const { service, list, states } = await startHydra({ hydra: { times: SHORT } });
    service.hydraIndexers[0]!.search = 'dead';
    service.hydraIndexers[1]!.delay = 5;
    expect((await list(BY_ID)).rows.length).toBeGreaterThan(0);
    expect((await states()).map(({ state }) => state)).toEqual(['DISABLED_SYSTEM_TEMPORARY', 'ENABLED']);
    service.hydraIndexers[1]!.delay = 5_000;
    expect((await list(BY_ID)).rows).toEqual([]);
    expect((await states()).at(1)).toMatchObject({ state: 'DISABLED_SYSTEM_TEMPORARY' });
  });

  it('is as long as it is asked to be, however long the pages of the indexers are', async () => {
    const { service, list } = await startHydra({
      hydraIndexers: [0, 1, 2].map((place) => many(`Good${place}`, place)),
    });
    const { rows, total } = await list(`${BY_ID}0`);
    expect([rows.length, total]).toEqual([350, 350]);
    expect(service.hydraIndexers.map(({ apiHits }) => apiHits)).toEqual([2, 2, 2]);
  });

  it('answers a further page from what another indexer has given to the same question', async () => {
    const { list } = await startHydra({ hydraIndexers: [many('Good0', 0), many('Good1', 1)] });
    const second = async (name: string, more = '') => {
      const { rows } = await list(`${BY_ID}&offset=100${more}`, `/api/${name}`);
      return new Set(rows.map(({ indexer }) => indexer));
    };
    await list(BY_ID, '/api/Good0');
    await list(BY_ID, '/api/Good1');
    expect(await second('Good0')).toEqual(new Set(['Good1']));
    await list(`${BY_ID}&indexers=Good0`);
    const [row] = (await list(`${BY_ID}&offset=100&indexers=Good1`)).rows;
    expect(row?.indexer).toBe('Good0');
    await list(`${BY_ID}&maxage=20001`, '/api/Good0');
    await list(`${BY_ID}&maxage=20002`, '/api/Good1');
    expect(await second('Good0', '&maxage=20001')).toEqual(new Set(['Good0']));
  });

  it('is ten thousand posts long where its indexers ignore what they are asked', async () => {
    const { service, list } = await startHydra();
    service.faults.search = 'flood';
    const { rows, total } = await list(BY_ID);
    expect(rows).toHaveLength(100);
    expect(total).toBeGreaterThanOrEqual(10_000);
  });

  it('and its caps know no ids while no indexer that is on knows any', async () => {
    const { service, list, get } = await startHydra();
    const caps = async () => (await get(`/api?t=caps&apikey=${KEY}`)).text();
    expect(await caps()).toContain('imdbid');
    expect(/tv-search[^>]*tmdbid/.test(await caps())).toBe(false);
    for (const indexer of service.hydraIndexers) indexer.support = { movie: ['q'], tv: ['q'] };
    expect(await caps()).not.toContain('imdbid');
    expect((await list(BY_ID)).rows).toEqual([]);
  });

  it('links to the host that was called, with its port, or to the one that it is told', async () => {
    const { list } = await startHydra({ linkBase: 'http://hydra.invalid:5076', urlBase: '/nzbhydra2' });
    expect((await list(BY_ID)).rows[0]!.link).toMatch(/^http:\/\/hydra\.invalid:5076\/nzbhydra2\/getnzb\//);
    const { service, list: plain } = await startHydra();
    expect((await plain(BY_ID)).rows[0]!.link.startsWith(`${service.url}/getnzb/api/`)).toBe(true);
    const text = await asHost('my.hydra.invalid', `${service.url}/api?apikey=${KEY}&${BY_ID}`);
    expect(text).toContain('<link>http://my.hydra.invalid:80/getnzb/api/');
  });
});

describe('what NZBHydra2 tells of its indexers', () => {
  const failing: [string, IndexerBehaviour, string, string | null][] = [
    ['429', { status: 429, retryAfter: 120 }, 'DISABLED_SYSTEM_TEMPORARY', 'Too Many Requests'],
    ['500', { status: 500 }, 'DISABLED_SYSTEM_TEMPORARY', 'Code: 500'],
    ['a connection that breaks', 'resets', 'DISABLED_SYSTEM_TEMPORARY', 'reset'],
    ['a refused key', { code: 100, description: 'Incorrect user credentials' }, 'DISABLED_SYSTEM', 'refused'],
    ['error 201', { code: 201, description: 'Incorrect parameter' }, 'ENABLED', null],
    ['malformed XML', 'malformed-xml', 'ENABLED', null],
    ['a web page', 'page', 'ENABLED', null],
    ['an empty list', 'empty', 'ENABLED', null],
  ];

  it.each(failing)('of %s: an empty list, and a state', async (_what, temper, state, error) => {
    const { service, list, states } = await startHydra();
    service.hydraIndexers[0]!.search = temper;
    expect(await list(BY_ID, '/api/Meadow')).toMatchObject({ rows: [], total: 0 });
    const [entry] = await states();
    expect(entry).toMatchObject({ indexer: 'Meadow', state, apiHits: 1 });
    if (error === null) expect(entry?.lastError).toBeNull();
    else expect(entry?.lastError).toContain(error);
    await list(BY_ID, '/api/Meadow');
    expect(service.hydraIndexers[0]!.apiHits).toBe(state === 'ENABLED' ? 2 : 1);
  });

  it('rests an indexer the longer the more often it has failed, until it has answered', async () => {
    const rests = [...HYDRA_TIMES.cooldowns];
    expect(rests.map((each) => each / 60_000)).toEqual([5, 15, 30, 60, 180]);
    const { service, list, states } = await startHydra();
    const [indexer] = service.hydraIndexers;
    const fail = async () => {
      indexer!.disabledUntil = undefined;
      await list(BY_ID, '/api/Meadow');
      const [entry] = await states();
      return [entry?.level, Math.round(((entry?.disabledUntil ?? 0) - Date.now() / 1000) / 60)];
    };
    indexer!.search = { status: 503 };
    expect([await fail(), await fail(), await fail()]).toEqual([
      [1, 5],
      [2, 15],
      [3, 30],
    ]);
    indexer!.search = 'good';
    indexer!.disabledUntil = undefined;
    await list(BY_ID, '/api/Meadow');
    const whole = { state: 'ENABLED', level: 0, disabledUntil: null, lastError: null };
    expect((await states())[0]).toMatchObject(whole);
  });

  it('does not ask one that is off, rests, or has used up its hits', async () => {
    const { service, list, states } = await startHydra({
      hydraIndexers: behind(
        { name: 'Off', enable: false },
        { name: 'Limit', apiHitLimit: 1 },
        { name: 'Resting' },
      ),
    });
    service.hydraIndexers[2]!.disable([60_000], 'It failed');
    service.hydraIndexers[1]!.apiHits = 1;
    expect((await list(BY_ID)).rows).toEqual([]);
    expect((await states()).map(({ state }) => state)).toEqual([
      'DISABLED_USER',
      'ENABLED',
      'DISABLED_SYSTEM_TEMPORARY',
    ]);
    expect(service.hydraIndexers.map(({ queries }) => queries.length)).toEqual([0, 0, 0]);
  });

  it('is kept from those who have another key, ask by GET, or are not allowed to', async () => {
    const { service, get } = await startHydra();
    const ask = async (apikey: string) => {
      const body = JSON.stringify({ apikey });
      const answer = await get('/api/stats/indexers', { method: 'POST', body });
      return [answer.status, answer.headers.get('content-type')];
    };
    const page = [500, 'text/html;charset=UTF-8'];
    expect(await ask('wrong')).toEqual(page);
    service.hydra.allowApiStats = false;
    expect(await ask(KEY)).toEqual(page);
    const byGet = await get(`/api/stats/indexers?apikey=${KEY}`);
    expect([byGet.status, (await byGet.text()).includes(KEY)]).toEqual([400, true]);
  });
});

describe('the errors and pages of NZBHydra2', () => {
  it('have status 200 at the Newznab endpoint', async () => {
    const { error } = await startHydra();
    expect(await error('/api?t=caps')).toBe('200 100');
    expect(await error(`/api?t=tvsearch&q=x&season=S01&apikey=${KEY}`)).toBe('200 900');
    expect(await error(`/api?t=foo&apikey=${KEY}`)).toBe('200 900');
    expect(await error(`/api?apikey=${KEY}`)).toBe('200 200');
  });

  it('can be wrapped as an empty list, a wrong key excepted', async () => {
    const { list, error } = await startHydra({ hydra: { wrapApiErrors: true } });
    const { text } = await list('t=tvsearch&q=x&season=S01');
    expect(text).not.toMatch(/newznab:response|<error/);
    expect(text).toContain('<channel>');
    expect(await error('/api?t=caps&apikey=wrong')).toBe('200 100');
  });

  it('show a front page whose title has an attribute, or send to the login', async () => {
    const { service, get } = await startHydra();
    expect(await (await get('/')).text()).toMatch(/<title ng-bind="[^"]+">NZBHydra 2<\/title>/);
    service.hydra.authentication = 'FORM';
    const answer = await get('/');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${service.url}/login`]);
    expect(await (await get('/login')).text()).toContain('<title>NZBHydra 2');
  });

  it('are not at the root behind a URL base', async () => {
    const { service, get } = await startHydra({ urlBase: '/nzbhydra2' });
    expect((await fetch(`${new URL(service.url).origin}/`)).status).toBe(404);
    expect((await get('')).headers.get('location')).toBe(`${service.url}/`);
    expect(await (await get('/')).text()).toContain('NZBHydra 2</title>');
  });
});

/** The answer to one who calls it by this name. */
const asHost = (host: string, url: string) =>
  new Promise<string>((resolve, reject) => {
    const asking = request(url, { headers: { host } }, (answer) => {
      textOf(answer).then(resolve, reject);
    });
    asking.once('error', reject).end();
  });
