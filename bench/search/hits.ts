import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CAMINANDES, SINTEL } from '../../sandbox/index.ts';
import type { MemberIndexer, MemberIndexerOptions } from '../../sandbox/indexer/member-indexer.ts';
import type { IndexerSandbox } from '../../sandbox/indexer/start.ts';
import { searchSources } from '../../src/connections/sources.ts';
import type { MediaRequest } from '../../src/model/index.ts';
import { cachedSearch, openCooldowns } from '../../src/search/index.ts';
import { parseSettings } from '../../src/settings/index.ts';
import { memoryLog } from '../../test/support/log.ts';
import type { Figure } from '../figure.ts';
import { type Manager, settingsOf, startManager } from './managers.ts';

const LIMIT = 1;

const REQUESTS: readonly MediaRequest[] = [
  { kind: 'movie', title: SINTEL.title, year: SINTEL.year, ids: { imdb: SINTEL.imdb, tmdb: SINTEL.tmdb } },
  {
    kind: 'episode',
    title: CAMINANDES.title,
    year: CAMINANDES.year,
    ids: { tvdb: CAMINANDES.tvdb ?? '', imdb: CAMINANDES.imdb },
    episode: { season: 1, episode: 2 },
  },
];

/** Of every temper: two that have it, one that has nothing, one that knows no ids, one that knows those of TMDb alone. */
const BEHIND: readonly MemberIndexerOptions[] = [
  { name: 'Good1' },
  { name: 'Good2' },
  { name: 'Nothing', posts: [] },
  { name: 'TextOnly', support: { movie: ['q'], tv: ['q', 'season', 'ep'] } },
  { name: 'TmdbOnly', support: { movie: ['q', 'tmdbid'], tv: ['q', 'season', 'ep', 'tmdbid'] } },
];

/** Queries of one play at one indexer beyond what one query for all of them would cost it. */
export const searchHits: Figure = {
  name: 'search.hits',
  unit: 'queries',
  target: `≤ ${LIMIT}`,
  measure: async () => {
    const counted: { readonly what: string; readonly beyond: number }[] = [];
    for (const request of REQUESTS) {
      const joint = await hitsOf(request, 'hydra', (service) => {
        service.hydra.allowApiStats = false;
      });
      for (const manager of ['prowlarr', 'hydra'] as const) {
        const own = await hitsOf(request, manager);
        for (const [name, hits] of own)
          counted.push({
            what: `${request.kind}, ${name} by ${manager}`,
            beyond: hits - (joint.get(name) ?? 0),
          });
      }
    }
    const worst = counted.toSorted((a, b) => b.beyond - a.beyond)[0]!;
    return { value: worst.beyond, met: worst.beyond <= LIMIT, note: worst.what };
  },
};

async function hitsOf(
  request: MediaRequest,
  manager: Manager,
  change: (service: IndexerSandbox) => void = () => undefined,
): Promise<ReadonlyMap<string, number>> {
  const service = await startManager(manager, BEHIND);
  change(service);
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-hits-'));
  try {
    await searchOnce(request, { manager, service, folder });
    const behind: readonly MemberIndexer[] = manager === 'hydra' ? service.hydraIndexers : service.indexers;
    return new Map(behind.map(({ name, queries }) => [name, queries.length]));
  } finally {
    await service.close();
    await rm(folder, { recursive: true });
  }
}

interface Place {
  readonly manager: Manager;
  readonly service: IndexerSandbox;
  readonly folder: string;
}

async function searchOnce(request: MediaRequest, { manager, service, folder }: Place): Promise<void> {
  const log = memoryLog();
  const settings = parseSettings(settingsOf(manager, service));
  const { sources, secrets, timeouts: patience } = await searchSources(settings, folder, log);
  const search = await cachedSearch(request, sources, {
    signal: new AbortController().signal,
    log,
    folder,
    secrets,
    cacheAge: 0,
    cooldowns: openCooldowns({ folder, log }),
    packs: settings.search_packs,
    timeouts: { perSource: patience },
  });
  try {
    await search.finished;
    if (search.state.releases.length === 0) throw new Error('nothing was found');
  } finally {
    await search.close();
  }
}
