import type { CatalogueRelease } from '../catalogue.ts';
import { type Answer, type Handler, type Incoming, titledPage } from '../http/types.ts';
import { type Attribute, capsDocument, errorDocument, feedDocument } from './documents.ts';
import { grab, type IndexerOptions, pageOf } from './index.ts';
import type { SearchSupport } from './search.ts';

/** The indexers behind it; each has every second post. */
const HYDRA_INDEXERS = ['Meadow', 'Burrow'] as const;

export interface HydraOptions extends Omit<IndexerOptions, 'support' | 'url'> {
  /** "/nzbhydra2" where it is set up so. */
  readonly urlBase: string;
  /** The address that it believes to be called by; behind a proxy nobody else may be able to reach it. */
  readonly linkBase: () => string;
}

/** It converts what an indexer lacks. */
const SUPPORT: SearchSupport = {
  movie: ['q', 'imdbid', 'tmdbid'],
  tv: ['q', 'season', 'ep', 'rid', 'tvdbid', 'tvmazeid', 'imdbid', 'tmdbid'],
};

/** NZBHydra2's Newznab interface. Every error has status 200; a post has another id in every search. */
export function hydra(options: HydraOptions): Handler {
  const { apiKey, urlBase, faults } = options;
  const guids = new Map<string, string>();
  const ids = resultIds();
  return (request) => {
    const { path, query } = request;
    if (!path.startsWith(`${urlBase}/`)) return { status: 404, body: 'Not Found' };
    if (path === `${urlBase}/`) return titledPage('NZBHydra 2');
    if (query.get('apikey') !== apiKey) return errorDocument(100, 'Wrong api key');
    const id = /^\/getnzb\/api\/(-?\d+)$/.exec(path.slice(urlBase.length))?.[1];
    if (id !== undefined) return grab(guids.get(id) ?? '', faults.nzb);
    const idOf = (release: CatalogueRelease) => {
      const fresh = ids.next();
      guids.set(fresh, release.guid);
      return fresh;
    };
    return path === `${urlBase}/api` ? api(request, options, idOf) : { status: 404, body: 'Not Found' };
  };
}

function api(
  { query }: Incoming,
  { apiKey, faults, linkBase, urlBase }: HydraOptions,
  idOf: (release: CatalogueRelease) => string,
): Answer {
  const kind = query.get('t');
  if (kind === 'caps') return capsDocument(SUPPORT);
  if (kind !== 'search' && kind !== 'tvsearch' && kind !== 'movie')
    return errorDocument(200, 'Unknown or missing t');
  // It reads the season as an integer, and fails of anything else.
  if (!/^\d*$/.test(query.get('season') ?? '')) return errorDocument(900, 'For input string: season');
  const page = pageOf(kind, query, SUPPORT, faults);
  if (page === undefined) return errorDocument(203, 'Function not available');
  return feedDocument(page, true, (release) => {
    const id = idOf(release);
    const url = `${linkBase()}${urlBase}/getnzb/api/${id}?apikey=${encodeURIComponent(apiKey)}`;
    return { url, attributes: ownAttributes(release, id) };
  });
}

function ownAttributes({ guid }: CatalogueRelease, id: string): Attribute[] {
  const number = Number(guid.slice(-12));
  return [
    ['guid', id],
    ['hydraIndexerName', HYDRA_INDEXERS[number % HYDRA_INDEXERS.length] ?? ''],
    ['hydraIndexerHost', 'indexer.invalid'],
    ['hydraIndexerScore', 10 - (number % 2)],
  ];
}

/** Signed 64-bit numbers, so beyond what a double holds, and every second one negative. */
function resultIds(): { next: () => string } {
  let count = 0n;
  return {
    next: () => {
      count += 1n;
      const id = 6_148_914_691_236_517_205n + count;
      return String(count % 2n === 0n ? id : -id);
    },
  };
}
