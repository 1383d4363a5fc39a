import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CATALOGUE, type CatalogueRelease, SINTEL } from '../../sandbox/index.ts';
import type { IndexerBehaviour } from '../../sandbox/indexer/member-indexer.ts';
import { standardCategories } from '../../sandbox/indexer/prowlarr/categories.ts';
import {
  ProwlarrIndexer,
  type ProwlarrIndexerOptions,
  prowlarrIndexers,
} from '../../sandbox/indexer/prowlarr/indexer.ts';
import type { ProwlarrSettings } from '../../sandbox/indexer/prowlarr/prowlarr.ts';
import { PROWLARR_TIMES } from '../../sandbox/indexer/prowlarr/times.ts';
import { type StartOptions, startIndexer } from '../../sandbox/indexer/start.ts';

/** What the recordings do not show by themselves: times, and what follows from an earlier call. */
const KEY = 'sandbox-key';
const SINTELS = CATALOGUE.filter(({ of }) => of === SINTEL);
const MINUTE = 60_000;
/** Longer than any test. */
const NEVER = 600_000;

const TEXT = '/api/v1/search?query=sintel&limit=100';
const FILM = `/api/v1/search?type=movie&query=${encodeURIComponent(`{ImdbId:${SINTEL.imdb}}`)}&limit=100`;

type Row = Readonly<Record<string, unknown>> & { readonly downloadUrl: string; readonly guid: string };

const indexer = (id: number, more: Partial<ProwlarrIndexerOptions> = {}) =>
  new ProwlarrIndexer({ id, name: `Indexer${id}`, ...more });

async function start(
  behind: readonly ProwlarrIndexer[] = prowlarrIndexers(),
  { times, ...settings }: ProwlarrSettings = {},
  options: Partial<StartOptions> = {},
) {
  const quick = { betweenQueries: 0, betweenTries: 0, ...times };
  const service = await startIndexer('prowlarr', {
    apiKey: KEY,
    behind,
    prowlarr: { ...settings, times: quick },
    ...options,
  });
  onTestFinished(() => service.close());
  const get = (path: string, more: RequestInit = {}) =>
    fetch(`${service.url}${path}`, {
      redirect: 'manual',
      ...more,
      headers: { 'x-api-key': KEY, ...(more.headers as Record<string, string>) },
    });
  const rows = async (path: string) => (await (await get(path)).json()) as readonly Row[];
  return { service, get, rows };
}

describe('a search of Prowlarr', () => {
  it('gives what all indexers list, the slow ones too', async () => {
    const { rows } = await start([indexer(1, { delay: 20 }), indexer(2)]);
    const ids = (await rows(TEXT)).map(({ indexerId }) => indexerId);
    expect(ids).toEqual([...SINTELS.map(() => 1), ...SINTELS.map(() => 2)]);
  });

  it('asks them side by side, and is not answered while one of them is waited for', async () => {
    const [dead, good] = [indexer(1, { search: 'dead' }), indexer(2)];
    const { service, get, rows } = await start([dead, good], { times: { timeout: NEVER } });
    let isOver = false;
    const both = get(TEXT)
      .catch(() => undefined)
      .finally(() => (isOver = true));
    await vi.waitFor(() => {
      expect([dead, good].map(({ queries }) => queries.length)).toEqual([1, 1]);
    });
    expect(await rows(`${TEXT}&indexerIds=2`)).toHaveLength(SINTELS.length);
    expect(isOver).toBe(false);
    expect(PROWLARR_TIMES.timeout).toBe(100_000);
    await Promise.all([both, service.close()]);
  });

  it('drops a dead indexer without a word when its patience is at an end', async () => {
    const behind = [indexer(1), indexer(2, { search: 'dead' })];
    const { get, rows } = await start(behind, { times: { timeout: 0 } });
    expect((await rows(TEXT)).map(({ indexerId }) => indexerId)).toEqual(SINTELS.map(() => 1));
    expect(await (await get('/api/v1/indexerstatus')).json()).toMatchObject([{ indexerId: 2 }]);
  });

  it('keeps queries to one host apart, also those of another search', async () => {
    const [first, twin, other] = [
      indexer(1, { baseUrl: 'http://one.invalid:7000' }),
      indexer(2, { baseUrl: 'http://one.invalid:7001/newznab' }),
      indexer(3),
    ];
    const { service, get, rows } = await start([first, twin, other], { times: { betweenQueries: NEVER } });
    await rows(`${TEXT}&indexerIds=1`);
    const waiting = get(`${TEXT}&indexerIds=2`).catch(() => undefined);
    await vi.waitFor(() => {
      expect(service.requests).toHaveLength(2);
    });
    expect(await rows(`${TEXT}&indexerIds=3`)).toHaveLength(SINTELS.length);
    expect([first, twin, other].map(({ queries }) => queries.length)).toEqual([1, 0, 1]);
    expect(PROWLARR_TIMES.betweenQueries).toBe(2_000);
    await Promise.all([waiting, service.close()]);
  });

  it('goes on when its client hangs up', async () => {
    const failing = indexer(1, { delay: 50, search: { code: 100, description: 'Wrong key' } });
    const { get } = await start([failing]);
    const controller = new AbortController();
    const search = get(TEXT, { signal: controller.signal });
    await vi.waitFor(() => {
      expect(failing.queries).toHaveLength(1);
    });
    controller.abort();
    await expect(search).rejects.toThrow();
    await vi.waitFor(async () => {
      expect(await (await get('/api/v1/indexerstatus')).json()).toHaveLength(1);
    });
  });

  it.each<[IndexerBehaviour, number]>([
    [{ status: 503 }, 3],
    [{ status: 403 }, 1],
    ['malformed-xml', 1],
    ['resets', 1],
  ])('asks an indexer that answers %o so often: %i', async (search, tries) => {
    const asked = indexer(1, { search });
    const { rows } = await start([asked]);
    expect(await rows(TEXT)).toEqual([]);
    expect(asked.queries).toHaveLength(tries);
  });

  it('sends limit=0 on where none was given, for which an indexer lists nothing', async () => {
    const asked = indexer(1);
    const { rows } = await start([asked]);
    expect(await rows('/api/v1/search?query=sintel')).toEqual([]);
    expect(asked.queries[0]?.get('limit')).toBe('0');
    expect(asked.queries[0]?.get('offset')).toBe('0');
  });

  it('does not ask an indexer without the categories, or without a parameter that is asked by', async () => {
    const films = indexer(1, { categories: standardCategories(2000, 2040) });
    const words = indexer(2, { support: { movie: ['q'], tv: ['q'] } });
    const { rows } = await start([films, words]);
    expect(await rows(`${TEXT}&categories=5000`)).not.toContainEqual(
      expect.objectContaining({ indexerId: 1 }),
    );
    expect(await rows(FILM)).toHaveLength(SINTELS.length);
    expect([films, words].map(({ queries }) => queries.map((query) => query.get('t')))).toEqual([
      ['movie'],
      ['search'],
    ]);
  });

  it('drops rows outside of the categories, which an indexer lists all the same', async () => {
    const misfiled = { ...SINTELS[0]!, categories: [5000, 5040] };
    const { rows, get } = await start([
      indexer(1, { posts: [misfiled, SINTELS[1]!], ignoresCategories: true }),
    ]);
    const names = (found: readonly Row[]) => found.map(({ title }) => title);
    expect(names(await rows(FILM))).toHaveLength(2);
    expect(names(await rows(`${FILM}&categories=2000`))).toEqual([SINTELS[1]!.name]);
    const feed = await (await get('/1/api?t=search&q=sintel&cat=2000')).text();
    expect(feed.match(/<item>/g)).toHaveLength(1);
  });

  it('tells 0 for what the indexer does not tell, in both of its ways', async () => {
    const silent: CatalogueRelease = { ...SINTELS[0]!, untold: ['grabs', 'files', 'size', 'imdb'] };
    const { rows, get } = await start([indexer(1, { posts: [silent] })]);
    expect((await rows(TEXT))[0]).toMatchObject({ grabs: 0, files: 0, size: 0, imdbId: 0 });
    const feed = await (await get('/1/api?t=search&q=sintel')).text();
    for (const name of ['files', 'grabs']) expect(feed).toContain(`name="${name}" value="0"`);
    expect(feed).not.toContain('name="imdb"');
  });

  it('gives a post without a guid a new one in each search', async () => {
    const { rows } = await start([indexer(1, { posts: [{ ...SINTELS[0]!, untold: ['guid'] }] })]);
    const guids = [(await rows(TEXT))[0]?.guid, (await rows(TEXT))[0]?.guid];
    expect(new Set(guids).size).toBe(2);
    expect(guids[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('gives of rows with one guid that of the indexer that goes first', async () => {
    const baseUrl = 'http://same.invalid';
    const [first, second] = [indexer(1, { baseUrl }), indexer(2, { baseUrl, priority: 1 })];
    const { rows } = await start([first, second]);
    expect((await rows(TEXT)).map(({ indexerId }) => indexerId)).toEqual(SINTELS.map(() => 2));
  });

  it('passes the value of maxage on for other bounds', async () => {
    const asked = indexer(1);
    const { get } = await start([asked]);
    await get('/1/api?t=search&q=sintel&maxage=900&minsize=1');
    expect(asked.queries[0]?.get('maxage')).toBe('900');
    expect(asked.queries[0]?.get('minsize')).toBe('900');
  });

  it('can list more posts that have nothing to do with the query than anybody asked for', async () => {
    const { service, rows } = await start();
    service.faults.search = 'flood';
    const all = await rows(`${TEXT}&indexerIds=3&indexerIds=7`);
    expect(all).toHaveLength(7_000);
    expect(new Set(all.map(({ imdbId }) => imdbId)).size).toBe(7_000);
  });

  it('shares the catalogue out among the usenet indexers that are on, where none are given', async () => {
    const { service, rows } = await start();
    const found = async (ids: string) => (await rows(`${TEXT}${ids}`)).length;
    const counts = [await found('&indexerIds=3'), await found('&indexerIds=7')];
    expect(counts.every((count) => count > 0)).toBe(true);
    expect(counts[0]! + counts[1]!).toBe(SINTELS.length);
    service.indexers[1]!.enable = false;
    expect(await found('&indexerIds=3')).toBe(SINTELS.length);
  });

  it('ends with the sandbox, whatever it waits for', async () => {
    const dead = indexer(1, { search: 'dead' });
    const asked = vi.spyOn(dead, 'askFor');
    const { service, get } = await start([dead], { times: { timeout: NEVER } });
    const search = get(TEXT).catch(() => undefined);
    await vi.waitFor(() => {
      expect(dead.queries).toHaveLength(1);
    });
    await Promise.all([search, service.close()]);
    await expect(asked.mock.results[0]?.value).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('an indexer that fails behind Prowlarr', () => {
  /** Rests that follow on what its indexer answers, in seconds, each answer given when the rest before it is over. */
  async function restsAfter(...answers: readonly IndexerBehaviour[]): Promise<readonly number[]> {
    let now = Date.UTC(2026, 10, 22);
    const asked = indexer(1);
    const { get, rows } = await start([asked], { now: () => now });
    const rests: number[] = [];
    for (const search of answers) {
      asked.search = search;
      await rows(TEXT);
      const [rest] = (await (await get('/api/v1/indexerstatus')).json()) as { disabledTill: string }[];
      const until = rest === undefined ? now : Date.parse(rest.disabledTill);
      rests.push((until - now) / 1000);
      now = until;
    }
    return rests;
  }
  const WRONG_KEY = { code: 100, description: 'Incorrect user credentials' };

  it.each<[string, readonly IndexerBehaviour[], readonly number[]]>([
    ['failures in a row', [WRONG_KEY, 'resets', 'malformed-xml', 'page'], [60, 300, 900, 1800]],
    ['a success takes a step back', [WRONG_KEY, WRONG_KEY, 'good', WRONG_KEY], [60, 300, 0, 300]],
    ['an answer 5xx', [{ status: 500 }], [60]],
    ['any error document', [{ code: 201, description: 'Incorrect parameter' }], [60]],
    ['429 with Retry-After', [{ status: 429, retryAfter: 120 }], [300]],
    ['429 without it', [{ status: 429 }], [3600]],
    ['a limit that it tells with 200', [{ code: 500, description: 'Request limit reached' }], [3600]],
    ['a page that happens to be well-formed', ['xml-page', 'good'], [0, 0]],
    ['nothing found', ['empty'], [0]],
  ])('rests: %s', async (_case, answers, rests) => {
    expect(await restsAfter(...answers)).toEqual(rests);
    expect(PROWLARR_TIMES.cooldowns.map((rest) => rest / MINUTE)).toEqual([
      1, 5, 15, 30, 60, 180, 360, 720, 1440,
    ]);
  });

  it('is told as resting in the very answer in which it failed, in its caps and at its downloads', async () => {
    let now = Date.UTC(2026, 10, 22, 15, 45, 35);
    const asked = indexer(1);
    const { get, rows } = await start([asked], { now: () => now });
    const { pathname, search } = new URL((await rows(TEXT))[0]!.downloadUrl);
    asked.search = WRONG_KEY;
    for (const path of ['/1/api?t=search&q=sintel', '/1/api?t=caps', pathname + search]) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
      expect(await answer.text()).toContain('disabled till 11/22/2026 15:46:35 due to recent failures.');
    }
    now += MINUTE;
    asked.search = 'good';
    expect((await get('/1/api?t=caps')).status).toBe(200);
    expect(asked.queries).toHaveLength(2);
    asked.enable = false;
    expect((await get(pathname + search)).status).toBe(410);
  });

  it('is named by its health page some seconds later', async () => {
    let now = Date.UTC(2026, 10, 22);
    const { get, rows } = await start([indexer(1, { search: WRONG_KEY })], { now: () => now });
    const health = async () => (await (await get('/api/v1/health')).json()) as { message: string }[];
    await rows(TEXT);
    expect(await health()).toEqual([]);
    now += PROWLARR_TIMES.untilHealth;
    expect((await health())[0]?.message).toBe('Indexers unavailable due to failures: Indexer1');
  });

  it('may be one whose account has ended, which its health page tells', async () => {
    const { get } = await start([indexer(1, { vipExpiration: '2026-01-31' })]);
    expect(await (await get('/api/v1/health')).json()).toMatchObject([
      { source: 'IndexerVIPExpiredCheck', message: 'Indexer VIP benefits have expired: Indexer1' },
    ]);
  });
});

describe('a limit that is set in Prowlarr', () => {
  it('of queries: an empty list, 429 of that indexer, no query spent on caps, and over after its time', async () => {
    let now = Date.UTC(2026, 10, 22);
    const asked = indexer(1, { queryLimit: 1, limitsUnit: 'hour' });
    const { get, rows } = await start([asked], { now: () => now });
    await get('/1/api?t=caps');
    expect(await rows(TEXT)).toHaveLength(SINTELS.length);
    now += 10 * MINUTE;
    expect(await rows(TEXT)).toEqual([]);
    const refused = await get('/1/api?t=caps');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(50 * 60)]);
    expect(await refused.text()).toContain('Query Limit of 1 in last 1 hour(s) reached.');
    now += 50 * MINUTE;
    expect(await rows(TEXT)).toHaveLength(SINTELS.length);
    expect(asked.queries).toHaveLength(2);
  });

  it('of grabs: counted as soon as a download was led on', async () => {
    const { get, rows } = await start([indexer(1, { grabLimit: 1 })]);
    const { pathname, search } = new URL((await rows(TEXT))[0]!.downloadUrl);
    expect((await get(pathname + search)).status).toBe(301);
    expect((await get(pathname + search)).status).toBe(429);
    expect((await get('/1/api?t=caps')).status).toBe(200);
  });
});

describe('a download by Prowlarr', () => {
  const locationOf = async (row: Row | undefined) => {
    const answer = await fetch(row?.downloadUrl ?? '', { redirect: 'manual' });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([301, 'no-cache, no-store']);
    return answer.headers.get('location') ?? '';
  };

  it('has another link in each search, and each of them leads to the NZB', async () => {
    const asked = indexer(1);
    const { rows } = await start([asked]);
    const found = [(await rows(TEXT))[0], (await rows(TEXT))[0]];
    const links = found.map((row) => new URL(row?.downloadUrl ?? '').searchParams.get('link') ?? '');
    expect(new Set(links).size).toBe(2);
    for (const link of links) expect(link).toMatch(/^[\w-]{200,300}$/);
    for (const row of found) {
      const nzb = await (await fetch(await locationOf(row))).text();
      expect(nzb).toContain(`<meta type="name">${String(row?.['title'])}</meta>`);
    }
    expect(asked.grabs).toHaveLength(2);
  });

  it('leads to the address of the indexer as Prowlarr knows it, if a test gives one', async () => {
    const { rows } = await start([indexer(1, { baseUrl: 'http://indexer-in-a-container:7000' })]);
    expect(await locationOf((await rows(TEXT))[0])).toMatch(
      /^http:\/\/indexer-in-a-container:7000\/getnzb\?id=/,
    );
  });

  it.each<[IndexerBehaviour, number | 'broken off', string]>([
    [{ status: 429, retryAfter: 5 }, 429, ''],
    [{ code: 501, description: 'Download limit reached' }, 200, '<error code="501"'],
    ['empty', 200, ''],
    ['page', 200, '<html>'],
    ['malformed-xml', 200, '<nzb><file'],
    ['resets', 'broken off', ''],
  ])('meets there what the indexer does: %o', async (download, status, begin) => {
    const { rows } = await start([indexer(1, { download })]);
    const came = await fetch(await locationOf((await rows(TEXT))[0]))
      .then(async (answer) => [answer.status, await answer.text()] as const)
      .catch(() => ['broken off', ''] as const);
    expect(came[0]).toBe(status);
    expect(came[1]).toContain(begin);
  });

  it('is named by the host that was called, or by the one that a proxy tells', async () => {
    const { rows, get } = await start([indexer(1)], {}, { urlBase: '/prowlarr' });
    expect((await rows(TEXT))[0]?.downloadUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/prowlarr\/1\/download\?/);
    const headers = { 'x-forwarded-host': 'media.invalid', 'x-forwarded-proto': 'https' };
    const [row] = (await (await get(TEXT, { headers })).json()) as Row[];
    expect(row?.downloadUrl).toMatch(/^https:\/\/media\.invalid\/prowlarr\/1\/download\?/);
  });

  it('is not to be had by HEAD', async () => {
    const { rows } = await start([indexer(1)]);
    const url = (await rows(TEXT))[0]?.downloadUrl ?? '';
    expect((await fetch(url, { method: 'HEAD', redirect: 'manual' })).status).toBe(405);
  });
});

it('an indexer that is added or deleted is seen at once', async () => {
  const { service, get, rows } = await start([indexer(1)]);
  service.indexers.push(indexer(2, { posts: [] }));
  const listed = async () =>
    ((await (await get('/api/v1/indexer')).json()) as { id: number }[]).map(({ id }) => id);
  expect(await listed()).toEqual([1, 2]);
  service.indexers.shift();
  expect(await listed()).toEqual([2]);
  expect(await rows(TEXT)).toEqual([]);
  expect((await get('/1/api?t=caps')).status).toBe(404);
});
