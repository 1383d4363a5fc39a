import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CAMINANDES, CATALOGUE, noFaults, type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { startIndexer } from '../../sandbox/indexer/start.ts';
import { type Client, client } from './support/client.ts';

let sandbox: Sandbox;
let ask: Client;

beforeAll(async () => {
  sandbox = await startSandbox();
  ask = client(sandbox);
});
afterAll(() => sandbox.close());
beforeEach(() => {
  Object.assign(sandbox.faults, noFaults());
});

const titles = (feed: string) => [...feed.matchAll(/<item>\s*<title>([^<]+)/g)].map(([, title]) => title);

describe('the indexer', () => {
  it('tells its capabilities without a key', async () => {
    const caps = await (await fetch(`${sandbox.indexer.url}/api?t=caps`)).text();
    expect(caps).toContain('<movie-search available="yes" supportedParams="q,imdbid"/>');
    expect(caps).toContain('<tv-search available="yes" supportedParams="q,season,ep,tvdbid,imdbid"/>');
  });

  it('forbids a search by words in its capabilities, and lists nothing then', async () => {
    const other = await startSandbox({ support: { movie: ['imdbid'], tv: [], noText: true } });
    onTestFinished(() => other.close());
    const caps = await (await fetch(`${other.indexer.url}/api?t=caps`)).text();
    expect(caps).toContain('<search available="no"/>');
    expect(titles(await client(other).search({ t: 'search', q: 'sintel' }))).toEqual([]);
    expect(titles(await client(other).search({ t: 'movie', imdbid: 'tt1727587' }))).not.toEqual([]);
  });

  it('refuses a missing and a wrong key with an error document and status 200', async () => {
    for (const key of ['', '&apikey=wrong']) {
      const answer = await fetch(`${sandbox.indexer.url}/api?t=search&q=sintel${key}`);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('<error code="100"');
    }
  });

  it('finds a film by its id in every customary spelling, with the release that is filed wrongly', async () => {
    for (const imdbid of ['1254207', '01254207', 'tt1254207']) {
      const found = titles(await ask.search({ t: 'movie', imdbid }));
      expect(found).toHaveLength(8);
      expect(found).toContain('Elephants.Dream.2006.1080p.BluRay.x264-MISFILED');
    }
  });

  it('finds by words in any order, and nothing by a word too many', async () => {
    expect(titles(await ask.search({ t: 'search', q: 'steel TEARS 2160p' }))).toHaveLength(1);
    expect(titles(await ask.search({ t: 'search', q: 'tears of steel bunny' }))).toEqual([]);
  });

  it('finds an episode without its pack, and with no episode given all of the season', async () => {
    const show = { t: 'tvsearch', tvdbid: CAMINANDES.tvdb! };
    const episode = titles(await ask.search({ ...show, season: '1', ep: '2' }));
    expect(episode.every((title) => title?.includes('S01E02'))).toBe(true);
    expect(episode).toHaveLength(2);
    const season = titles(await ask.search({ ...show, season: '1' }));
    expect(season).toHaveLength(5);
    expect(season).toContain('Caminandes.S01.1080p.WEB-DL.x264-PACKED');
    expect(titles(await ask.search({ ...show, season: '2' }))).toEqual([]);
  });

  it('ignores an id that its capabilities do not name: the whole index comes back', async () => {
    const films = CATALOGUE.filter((release) => release.of.kind === 'movie');
    expect(titles(await ask.search({ t: 'movie', tmdbid: '10378' }))).toHaveLength(films.length);
  });

  it('serves pages, the newest release first', async () => {
    const all = titles(await ask.search({ t: 'search', q: '' }));
    expect(all).toEqual(CATALOGUE.map((release) => release.name).toReversed());
    const page = await ask.search({ t: 'search', q: '', offset: '3', limit: '2' });
    expect(titles(page)).toEqual(all.slice(3, 5));
    expect(page).toContain(`<newznab:response offset="3" total="${all.length}"/>`);
  });

  it('limits a search to categories', async () => {
    expect(titles(await ask.search({ t: 'search', q: '', cat: '2045' }))).toHaveLength(2);
  });

  it('gives attributes beyond size and category only when asked for extended ones', async () => {
    const query = { t: 'search', q: 'LOCKED' };
    expect(await ask.search(query)).not.toContain('name="password"');
    const extended = await ask.search({ ...query, extended: '1' });
    expect(extended).toContain('<newznab:attr name="password" value="1"/>');
    expect(extended).toContain('name="usenetdate"');
  });

  it('links to the NZB with the key in the address, escaped as XML', async () => {
    const feed = await ask.search({ t: 'search', q: 'Sintel 720p' });
    const url = /<enclosure url="([^"]+)"/.exec(feed)![1]!;
    expect(url).toContain('&amp;apikey=');
    const answer = await fetch(url.replaceAll('&amp;', '&'));
    expect(answer.headers.get('content-type')).toBe('application/x-nzb');
    const nzb = await answer.text();
    expect(nzb).toContain('FRONTINDEX.mp4');
    const counts = [...nzb.matchAll(/yEnc \(1\/(\d+)\)/g)].map(([, count]) => Number(count));
    expect([...nzb.matchAll(/<segment /g)]).toHaveLength(counts.reduce((a, b) => a + b));
  });

  it('answers unknown functions, unknown items and missing parameters by the codes of the specification', async () => {
    expect(await ask.search({ t: 'music' })).toContain('code="202"');
    expect(await ask.search({ t: 'get', id: 'nothing' })).toContain('code="300"');
    expect(await ask.search({})).toContain('code="200"');
  });

  it('finds nothing and grabs nothing when told so', async () => {
    sandbox.faults.search = 'empty';
    expect(titles(await ask.search({ t: 'search', q: '' }))).toEqual([]);
    const grab = async (nzb: typeof sandbox.faults.nzb) => {
      sandbox.faults.nzb = nzb;
      return await ask.nzb(CATALOGUE[0]!.guid);
    };
    expect(await grab('empty-body')).toBe('');
    expect(await grab('limit-reached')).toContain('<error code="501"');
    expect(await grab('html')).toContain('<html>');
    expect(await grab('no-files')).not.toContain('<file');
    expect(await grab('broken-xml')).not.toContain('</nzb>');
    expect(await grab('error')).toContain('<error code="900"');
  });

  it('can know no kinds', async () => {
    const service = await startIndexer('newznab', { apiKey: 'key' });
    onTestFinished(() => service.close());
    service.faults.search = 'kindless';
    const answer = async (query: string) => (await fetch(`${service.url}/api?${query}&apikey=key`)).text();
    expect(await answer('t=movie&imdbid=1')).toContain('code="203"');
    expect(await answer('t=search&q=sintel')).toContain('<item>');
  });
});
