import type { Dialect } from '../newznab/dialect.ts';
import type { ItemDialect } from '../newznab/feed.ts';
import { type Caps, managedCategories, PAGE } from '../wire/caps.ts';
import { stableGuid } from '../wire/reading.ts';
import type { Service } from '../wire/refusal.ts';
import type { Hosts } from './hosts.ts';

/** More than any list has; any limit is heeded (protocols.md §6.1). */
const WHOLE_LIST = 1000;

/** What NZBHydra2 may be asked by; it converts ids for indexers that lack one. */
export const USUAL_CAPS: Caps = {
  search: ['q'],
  tv: ['q', 'season', 'ep', 'tvdbid', 'tvmazeid', 'tmdbid', 'imdbid'],
  movie: ['q', 'imdbid', 'tmdbid'],
  limit: PAGE,
};

/** Its caps leave out an id of series that it passes on all the same (protocols.md §6.1). */
export const withTmdbOfSeries = (caps: Caps): Caps =>
  caps.tv.length === 0 || caps.tv.includes('tmdbid') ? caps : { ...caps, tv: [...caps.tv, 'tmdbid'] };

/** @param base its address, without a slash at its end */
export function hydraDialect(name: string, { who }: Service, base: string, hosts: Hosts): Dialect {
  return {
    losesSeasonZero: false,
    wholeList: WHOLE_LIST,
    categoriesOf: managedCategories,
    idsTogether: true,
    items: itemDialect(name, who, base),
    onRows: (rows) => hosts.learn(rows),
  };
}

const itemDialect = (name: string, who: string, base: string): ItemDialect => ({
  indexerOf: ({ attributes }) => attributes.get('hydraindexername') || name,
  guidOf: ({ attributes, texts }) => stableGuid(attributes.get('guid') || (texts.get('guid') ?? '')),
  linkOf: (link) => throughBase(link, base),
  manager: { software: 'NZBHydra2', who },
});

/**
 * Links name the host that NZBHydra2 believes to be called by, which behind a proxy may be one that nobody else can
 * reach. The address at which it has just answered is known to work.
 */
function throughBase(link: URL, base: string): URL {
  const path = /\/getnzb\/.*$/.exec(link.pathname)?.[0];
  return path === undefined ? link : new URL(`${base}${path}${link.search}`);
}
