import { describe, expect, it, onTestFinished } from 'vitest';
import { SINTEL } from '../../sandbox/index.ts';
import { type IndexerDialect, type StartOptions, startIndexer } from '../../sandbox/indexer/start.ts';

const KEY = 'sandbox-key';

async function start(dialect: IndexerDialect, options: Partial<StartOptions> = {}) {
  const service = await startIndexer(dialect, { apiKey: KEY, ...options });
  onTestFinished(() => service.close());
  const get = (path: string) =>
    fetch(`${service.url}${path}`, { headers: { 'x-api-key': KEY }, redirect: 'manual' });
  return { service, get };
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

describe('the sandbox in each dialect', () => {
  it('can know no kinds', async () => {
    const { service, get } = await start('newznab');
    service.faults.search = 'kindless';
    expect(await (await get(`/api?t=movie&imdbid=1&apikey=${KEY}`)).text()).toContain('code="203"');
    expect(await (await get(`/api?t=search&q=sintel&apikey=${KEY}`)).text()).toContain('<item>');
  });
});
