import { describe, expect, onTestFinished, test } from 'vitest';
import { CATALOGUE } from '../../sandbox/index.ts';
import { HydraIndexer } from '../../sandbox/indexer/hydra/indexer.ts';
import { ProwlarrIndexer } from '../../sandbox/indexer/prowlarr/indexer.ts';
import { type IndexerSandbox, startIndexer } from '../../sandbox/indexer/start.ts';
import { pipeline } from './set-up.ts';

const KEY = 'manager-key-55d0e1';
/** Of it there are enough posts for a list. */
const FILM = '?type=movie&title=Big+Buck+Bunny&year=2008&imdb=tt1254207';
const HALVES = [0, 1].map((half) => CATALOGUE.filter(({ guid }) => Number(guid.slice(-12)) % 2 === half));
const BEHIND = [
  { name: 'Dead', search: 'dead' },
  { name: 'Meadow', posts: HALVES[0]! },
  { name: 'Burrow', posts: HALVES[1]! },
] as const;
const REFUSES_KEY = { code: 100, description: 'Incorrect user credentials' };

const MANAGERS = {
  Prowlarr: () =>
    startIndexer('prowlarr', {
      apiKey: KEY,
      behind: BEHIND.map((options, place) => new ProwlarrIndexer({ ...options, id: place + 1 })),
    }),
  NZBHydra2: () =>
    startIndexer('hydra', { apiKey: KEY, hydraIndexers: BEHIND.map((options) => new HydraIndexer(options)) }),
};

async function behind(name: keyof typeof MANAGERS, options: Parameters<typeof pipeline>[0] = {}) {
  const service: IndexerSandbox = await MANAGERS[name]();
  onTestFinished(() => service.close());
  const [url, key] =
    name === 'Prowlarr' ? ['prowlarr_url', 'prowlarr_api_key'] : ['hydra_url', 'hydra_api_key'];
  const settings = { indexer_url: '', [url]: service.url, [key]: KEY, ...options.settings };
  return { service, ...(await pipeline({ ...options, settings })) };
}

describe.each(['Prowlarr', 'NZBHydra2'] as const)('a film behind %s', (name) => {
  test('is played from those that answer while one of them never does', async () => {
    const { host, sandbox, resolve } = await behind(name);
    expect(await resolve(FILM)).toBe(true);
    expect(host.resolved[0]?.stream.url).toMatch(/Big\.Buck\.Bunny/);
    expect(sandbox.jobs()).toHaveLength(1);
  });

  test('is chosen from a list that names who has not answered', async () => {
    const { host, resolve } = await behind(name, {
      settings: { auto_select: 'false' },
      choice: (view) => Promise.resolve(view.rows[0]?.id),
    });
    expect(await resolve(FILM)).toBe(true);
    const [view] = host.picked;
    const passed = view?.rows.filter(({ rejections }) => rejections.length === 0);
    expect(passed?.length).toBeGreaterThanOrEqual(5);
    expect(view?.status).toBe(`waiting for Dead by ${name} · 2 of 3 by ${name}`);
  });

  test('is found at the next search without the one that rests, which is told with its reason', async () => {
    const { service, host, resolve } = await behind(name, {
      settings: { auto_select: 'false', cache_minutes: '0' },
      choice: (view) => Promise.resolve(view.rows[0]?.id),
    });
    const [dead] = name === 'Prowlarr' ? service.indexers : service.hydraIndexers;
    dead!.search = name === 'Prowlarr' ? REFUSES_KEY : { status: 429 };
    for (let play = 0; play < 2; play++) expect(await resolve(FILM)).toBe(true);
    expect(host.picked.at(-1)?.status).toMatch(
      new RegExp(
        `^2 of 3 by ${name} · Dead by ${name} rests until (?:tomorrow )?\\d\\d:\\d\\d because it failed`,
      ),
    );
    expect(dead?.queries).toHaveLength(1);
  });
});
