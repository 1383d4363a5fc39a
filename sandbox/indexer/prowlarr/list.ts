import type { IndexerFaults } from '../faults.ts';
import { categoriesOf } from './categories.ts';
import { type ProwlarrIndexer, supportOf } from './indexer.ts';
import { dateText } from './prowlarr.ts';

/** What differs between indexers of the two protocols. */
const KINDS = {
  usenet: { name: 'Newznab', description: 'Newznab is an API search specification for Usenet' },
  torrent: { name: 'Torznab', description: 'A Newznab-like api for torrents.' },
};
const ADDED = Date.UTC(2026, 10, 22, 15, 11, 57);

/** An indexer in GET /api/v1/indexer (protocols.md §7.5). */
export function indexerResource(indexer: ProwlarrIndexer, faults: IndexerFaults): unknown {
  const { id, name, enable, redirect, protocol, baseUrl, priority } = indexer;
  const kind = KINDS[protocol];
  return {
    indexerUrls: [baseUrl],
    legacyUrls: [],
    definitionName: kind.name,
    description: kind.description,
    language: 'en-US',
    encoding: 'Unicode (UTF-8)',
    enable,
    redirect,
    supportsRss: true,
    supportsSearch: true,
    supportsRedirect: true,
    supportsPagination: true,
    appProfileId: 1,
    protocol,
    privacy: 'private',
    capabilities: capabilitiesOf(indexer, faults),
    priority,
    downloadClientId: 0,
    added: dateText(ADDED),
    sortName: name.toLowerCase(),
    name,
    fields: fieldsOf(indexer),
    implementationName: kind.name,
    implementation: kind.name,
    configContract: `${kind.name}Settings`,
    infoLink: `https://wiki.servarr.com/prowlarr/supported-indexers#${kind.name.toLowerCase()}`,
    tags: [],
    id,
  };
}

/** As the list writes them; caps write them in lower case. */
const SPELLED: Readonly<Record<string, string>> = {
  imdbid: 'imdbId',
  tmdbid: 'tmdbId',
  tvdbid: 'tvdbId',
  tvmazeid: 'tvMazeId',
  rid: 'rId',
};

function capabilitiesOf(indexer: ProwlarrIndexer, faults: IndexerFaults) {
  const { movie, tv } = supportOf(indexer, faults);
  const spelled = (names: readonly string[]) => names.map((each) => SPELLED[each] ?? each);
  return {
    limitsMax: 100,
    limitsDefault: 100,
    categories: categoriesOf(indexer.categories),
    supportsRawSearch: false,
    searchParams: ['q'],
    tvSearchParams: spelled(tv),
    movieSearchParams: spelled(movie),
    musicSearchParams: [],
    bookSearchParams: [],
  };
}

type Field = readonly [name: string, type: string, value?: string | number | boolean | undefined];

/** A field that is empty has no value at all. What the pages show of a field is left out. */
function fieldsOf(indexer: ProwlarrIndexer): unknown[] {
  const { baseUrl, protocol, vipExpiration, queryLimit, grabLimit, limitsUnit } = indexer;
  const all: Field[] = [
    ['baseUrl', 'textbox', baseUrl],
    ['apiPath', 'textbox', '/api'],
    ['apiKey', 'textbox', '********'],
    ...(protocol === 'torrent' ? TORRENT_FIELDS : []),
    ['additionalParameters', 'textbox'],
    ['vipExpiration', 'textbox', vipExpiration],
    ['baseSettings.queryLimit', 'number', queryLimit],
    ['baseSettings.grabLimit', 'number', grabLimit],
    ['baseSettings.limitsUnit', 'select', limitsUnit === 'day' ? 0 : 1],
  ];
  return all.map(([name, type, value], order) => ({
    order,
    name,
    type,
    ...(value !== undefined && { value }),
  }));
}

const TORRENT_FIELDS: readonly Field[] = [
  ['torrentBaseSettings.appMinimumSeeders', 'number'],
  ['torrentBaseSettings.seedRatio', 'number'],
  ['torrentBaseSettings.seedTime', 'number'],
  ['torrentBaseSettings.packSeedTime', 'number'],
  ['torrentBaseSettings.preferMagnetUrl', 'checkbox', false],
];
