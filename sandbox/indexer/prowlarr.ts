import type { CatalogueRelease } from '../catalogue.ts';
import { type Answer, type Handler, type Incoming, json, titledPage } from '../http/types.ts';
import type { IndexerFaults } from './faults.ts';
import { grab, pageOf } from './index.ts';
import { DEFAULT_SUPPORT, type Kind, type SearchSupport } from './search.ts';

/** One indexer as Prowlarr has it. Each usenet indexer that is enabled has every n-th post of the catalogue. */
export interface ProwlarrIndexer {
  readonly id: number;
  readonly name: string;
  enable: boolean;
  readonly protocol: 'usenet' | 'torrent';
  support: SearchSupport;
  queryLimit?: number;
  /**
   * failing: fails at the next search and rests then; resting: rests already; at-limit: is not asked any more; expired:
   * its account has ended, so that it lists nothing.
   */
  state?: 'failing' | 'resting' | 'at-limit' | 'expired';
}

export const prowlarrIndexers = (): ProwlarrIndexer[] => [
  { id: 3, name: 'Meadow', enable: true, protocol: 'usenet', support: DEFAULT_SUPPORT },
  { id: 7, name: 'Burrow', enable: true, protocol: 'usenet', support: DEFAULT_SUPPORT },
  { id: 8, name: 'Swarm', enable: true, protocol: 'torrent', support: DEFAULT_SUPPORT },
  { id: 9, name: 'Attic', enable: false, protocol: 'usenet', support: DEFAULT_SUPPORT },
];

export interface ProwlarrOptions {
  readonly apiKey: string;
  readonly faults: IndexerFaults;
  readonly indexers: readonly ProwlarrIndexer[];
  readonly urlBase: string;
  /** Its own address. */
  readonly url: () => string;
  /** The address that it believes to be called by. */
  readonly linkBase: () => string;
}

/** Milliseconds. */
const REST = 300_000;

/** Prowlarr's own API: indexer, indexerstatus, search, and the downloads, which lead on to the indexer. */
export function prowlarr(options: ProwlarrOptions): Handler {
  const { apiKey, urlBase, faults, indexers, url } = options;
  return (request) => {
    const { query, headers } = request;
    const path = request.path.startsWith(urlBase) ? request.path.slice(urlBase.length) : '';
    const nzb = /^\/the-indexers-own\/([\w-]+)$/.exec(path)?.[1];
    if (nzb !== undefined) return grab(nzb, faults.nzb);
    if (path === '/' || path === '/login') return titledPage('Prowlarr');
    if (headers['x-api-key'] !== apiKey && query.get('apikey') !== apiKey)
      return isApi(path)
        ? { status: 401, body: '' }
        : { status: 302, headers: { location: `${urlBase}/login` } };
    const guid = /^\/\d+\/download$/.test(path) ? (query.get('link') ?? '') : undefined;
    if (guid !== undefined)
      return { status: 301, headers: { location: `${url()}${urlBase}/the-indexers-own/${guid}` }, body: '' };
    switch (path) {
      case '/api/v1/system/status':
        return json(200, { appName: 'Prowlarr', instanceName: 'Prowlarr', version: '1.28.2.4885' });
      case '/api/v1/health':
        return json(200, healthResources(indexers.filter(({ state }) => state === 'expired')));
      case '/api/v1/indexer':
        return json(
          200,
          indexers.map((indexer) => indexerResource(indexer, faults)),
        );
      case '/api/v1/indexerstatus':
        return json(200, indexers.filter(({ state }) => state === 'resting').map(statusResource));
      case '/api/v1/search':
        return search(request, options);
      default:
        return json(404, { message: 'NotFound' });
    }
  };
}

/** Everything else is for people, who log in. */
const isApi = (path: string) => /^\/(?:\d+\/)?(?:api|download)\b/.test(path) || path === '';

function indexerResource(
  { id, name, enable, protocol, support, queryLimit }: ProwlarrIndexer,
  { search: fault }: IndexerFaults,
): unknown {
  const spelled = (names: readonly string[]) =>
    fault === 'kindless' ? [] : names.map((each) => each.replace(/id$/, 'Id'));
  return {
    id,
    name,
    enable,
    protocol,
    privacy: 'private',
    priority: 25,
    supportsRss: true,
    supportsSearch: true,
    capabilities: {
      limitsMax: 100,
      limitsDefault: 100,
      categories: [],
      supportsRawSearch: false,
      searchParams: ['q'],
      tvSearchParams: spelled(support.tv),
      movieSearchParams: spelled(support.movie),
    },
    fields: [
      { order: 0, name: 'baseUrl', value: 'http://indexer.invalid' },
      { order: 1, name: 'baseSettings.queryLimit', ...(queryLimit !== undefined && { value: queryLimit }) },
    ],
  };
}

/** One for all of them, with their names. */
function healthResources(expired: readonly ProwlarrIndexer[]): unknown[] {
  if (expired.length === 0) return [];
  const names = expired.map(({ name }) => name).join(', ');
  const message = `Indexer VIP benefits have expired: ${names}`;
  const wikiUrl = 'https://wiki.invalid/prowlarr';
  return [{ source: 'IndexerVIPExpiredCheck', type: 'error', message, wikiUrl }];
}

const statusResource = ({ id }: ProwlarrIndexer) => ({
  indexerId: id,
  disabledTill: new Date(Date.now() + REST).toISOString(),
  mostRecentFailure: new Date().toISOString(),
  id,
});

function search({ query }: Incoming, options: ProwlarrOptions): Answer {
  const wanted = query.getAll('indexerIds').map(Number);
  if (wanted.some(Number.isNaN))
    return json(400, [{ propertyName: 'indexerIds', errorMessage: 'not valid' }]);
  const able = options.indexers.filter(
    ({ id, enable, state }) => enable && state !== 'resting' && wanted.includes(id),
  );
  if (able.length === 0)
    return json(400, {
      message: 'Search failed due to all selected indexers being unavailable',
      description: 'NzbDrone.Core.Exceptions.SearchFailedException',
    });
  return json(
    200,
    able.flatMap((indexer) => listedBy(indexer, query, options)),
  );
}

/** A failing indexer lists nothing and rests from then on, and nobody is told. */
function listedBy(indexer: ProwlarrIndexer, query: URLSearchParams, options: ProwlarrOptions): unknown[] {
  if (indexer.state === 'failing') indexer.state = 'resting';
  if (indexer.state !== undefined) return [];
  const kind = kindOf(query.get('type'));
  const page = pageOf(kind, newznabQuery(query), indexer.support, options.faults);
  const sharing = options.indexers.filter(({ enable, protocol }) => enable && protocol === indexer.protocol);
  const place = sharing.indexOf(indexer);
  const own = page?.releases.filter(({ guid }) => Number(guid.slice(-12)) % sharing.length === place);
  return (own ?? []).map((release) => releaseResource(release, indexer, options));
}

const kindOf = (type: string | null): Kind => (type === 'movie' || type === 'tvsearch' ? type : 'search');

const TOKEN = /\{(imdbid|tmdbid|tvdbid|tvmazeid|season|episode):([^{}]+)\}/gi;

/** The tokens within the text as the parameters that they stand for. */
function newznabQuery(query: URLSearchParams): URLSearchParams {
  const text = query.get('query') ?? '';
  const out = new URLSearchParams({
    q: text.replace(TOKEN, '').trim(),
    cat: query.getAll('categories').join(','),
  });
  for (const [, name = '', value = ''] of text.matchAll(TOKEN))
    out.set(name.toLowerCase().replace('episode', 'ep'), value);
  return out;
}

function releaseResource(
  release: CatalogueRelease,
  { id, name, protocol }: ProwlarrIndexer,
  { apiKey, linkBase, urlBase }: ProwlarrOptions,
): unknown {
  const link = new URLSearchParams({ apikey: apiKey, link: release.guid, file: release.name });
  return {
    guid: `https://indexer.invalid/details/${release.guid}`,
    age: 12,
    size: release.size,
    files: release.videos.length + 2,
    grabs: release.grabs,
    indexerId: id,
    indexer: name,
    title: release.name,
    imdbId: Number(release.of.imdb.replace('tt', '')),
    tmdbId: Number(release.of.tmdb),
    tvdbId: Number(release.of.tvdb ?? 0),
    tvMazeId: 0,
    publishDate: release.posted,
    downloadUrl: `${linkBase()}${urlBase}/${id}/download?${link.toString()}`,
    categories: release.categories.map((category) => ({ id: category, name: '', subCategories: [] })),
    protocol,
    fileName: `${release.name}.nzb`,
  };
}
