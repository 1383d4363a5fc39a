import { describe, expect, it, onTestFinished } from 'vitest';
import { CATALOGUE, SINTEL } from '../../sandbox/index.ts';
import { type IndexerDialect, type StartOptions, startIndexer } from '../../sandbox/indexer/start.ts';

const KEY = 'sandbox-key';

async function start(dialect: IndexerDialect, options: Partial<StartOptions> = {}) {
  const service = await startIndexer(dialect, { apiKey: KEY, ...options });
  onTestFinished(() => service.close());
  const get = (path: string) =>
    fetch(`${service.url}${path}`, { headers: { 'x-api-key': KEY }, redirect: 'manual' });
  const rows = async (path: string) => (await (await get(path)).json()) as Record<string, unknown>[];
  return { service, get, rows };
}

describe('the sandbox as NZBHydra2', () => {
  const search = `/api?t=movie&imdbid=${SINTEL.imdb}&apikey=${KEY}`;

  it('gives a post another id in every search, and its NZB by each of them', async () => {
    const { get } = await start('hydra');
    const links = async () =>
      [...(await (await get(search)).text()).matchAll(/<link>([^<]*getnzb[^<]*)</g)].map(
        ([, url]) => url ?? '',
      );
    const [first, second] = [await links(), await links()];
    expect(first).toHaveLength(3);
    expect(new Set([...first, ...second]).size).toBe(6);
    for (const url of [...first, ...second])
      expect(await (await fetch(url.replaceAll('&amp;', '&'))).text()).toContain('<nzb ');
  });

  it('answers every error with status 200', async () => {
    const { get } = await start('hydra');
    const error = async (path: string) => {
      const answer = await get(path);
      return `${answer.status} ${/code="(\d+)"/.exec(await answer.text())?.[1]}`;
    };
    expect(await error('/api?t=caps')).toBe('200 100');
    expect(await error(`/api?t=tvsearch&q=x&season=S01&apikey=${KEY}`)).toBe('200 900');
    expect(await error(`/getnzb/api/7?apikey=${KEY}`)).toBe('200 300');
    expect(await error(`/api?apikey=${KEY}`)).toBe('200 200');
  });
});

describe('the sandbox as Prowlarr', () => {
  const search = `/api/v1/search?type=movie&query=${encodeURIComponent(`{ImdbId:${SINTEL.imdb}}`)}`;

  it('wants the key in the header or the query', async () => {
    const { service } = await start('prowlarr');
    expect((await fetch(`${service.url}/api/v1/indexer`)).status).toBe(401);
    expect((await fetch(`${service.url}/api/v1/indexer?apikey=${KEY}`)).status).toBe(200);
  });

  it('shares the posts out among its indexers, each of which is asked alone or with others', async () => {
    const { rows } = await start('prowlarr');
    const [both, one, other] = [
      await rows(`${search}&indexerIds=3&indexerIds=7`),
      await rows(`${search}&indexerIds=3`),
      await rows(`${search}&indexerIds=7`),
    ];
    expect(both).toHaveLength(CATALOGUE.filter(({ of }) => of === SINTEL).length);
    expect(one.length + other.length).toBe(both.length);
  });

  it('drops an indexer that fails without a word, and lets it rest', async () => {
    const { service, rows, get } = await start('prowlarr');
    service.indexers[0]!.state = 'failing';
    expect(await rows('/api/v1/indexerstatus')).toEqual([]);
    expect(await rows(`${search}&indexerIds=3`)).toEqual([]);
    expect(await rows('/api/v1/indexerstatus')).toMatchObject([{ indexerId: 3 }]);
    expect((await get(`${search}&indexerIds=3`)).status).toBe(400);
  });

  it('leads each download on to the indexer', async () => {
    const { rows } = await start('prowlarr');
    const [row] = await rows(`${search}&indexerIds=3&indexerIds=7`);
    const answer = await fetch(String(row?.['downloadUrl']), { redirect: 'manual' });
    expect(answer.status).toBe(301);
    expect(await (await fetch(answer.headers.get('location') ?? '')).text()).toContain('<nzb ');
  });
});

describe('the sandbox in each dialect', () => {
  it('can list ten thousand posts that have nothing to do with the query', async () => {
    const { service, rows } = await start('prowlarr');
    service.faults.search = 'flood';
    const all = await rows('/api/v1/search?query=sintel&indexerIds=3&indexerIds=7');
    expect(all).toHaveLength(10_000);
    expect(new Set(all.map(({ imdbId }) => imdbId)).size).toBe(10_000);
  });

  it('can know no kinds', async () => {
    const { service, get } = await start('newznab');
    service.faults.search = 'kindless';
    expect(await (await get(`/api?t=movie&imdbid=1&apikey=${KEY}`)).text()).toContain('code="203"');
    expect(await (await get(`/api?t=search&q=sintel&apikey=${KEY}`)).text()).toContain('<item>');
  });
});
