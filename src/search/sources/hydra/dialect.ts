import { type Caps, managedCategories, PAGE_SIZE } from '../common/caps.ts';
import { stableGuid } from '../common/fields.ts';
import type { ServiceLabels } from '../common/refusal.ts';
import type { NewznabDialect } from '../newznab/dialect.ts';
import type { ItemDialect } from '../newznab/feed-postings.ts';
import type { IndexerHosts } from './indexer-hosts.ts';

/** More than any list has; any limit is heeded (protocols.md §6.1). */
const MAX_LIST = 1000;

/** What NZBHydra2 may be asked by; it converts ids for indexers that lack one. */
export const HYDRA_DEFAULT_CAPS: Caps = {
  search: ['q'],
  tv: ['q', 'season', 'ep', 'tvdbid', 'tvmazeid', 'tmdbid', 'imdbid'],
  movie: ['q', 'imdbid', 'tmdbid'],
  limit: PAGE_SIZE,
};

/** Its caps leave out an id of series that it passes on all the same (protocols.md §6.1). */
export const withSeriesTmdb = (caps: Caps): Caps =>
  caps.tv.length === 0 || caps.tv.includes('tmdbid') ? caps : { ...caps, tv: [...caps.tv, 'tmdbid'] };

/** @param base its address, without a slash at its end */
export function hydraDialect(
  name: string,
  { who }: ServiceLabels,
  base: string,
  hosts: IndexerHosts,
): NewznabDialect {
  return {
    ignoresSeasonZero: false,
    maxListSize: MAX_LIST,
    categoriesOf: managedCategories,
    idsTogether: true,
    items: itemDialect(name, who, base),
    onItems: (rows) => hosts.update(rows),
  };
}

const itemDialect = (name: string, who: string, base: string): ItemDialect => ({
  indexerOf: ({ attributes }) => attributes.get('hydraindexername') || name,
  guidOf: ({ attributes, texts }) => stableGuid(attributes.get('guid') || (texts.get('guid') ?? '')),
  linkOf: (link) => rebaseLink(link, base),
  manager: { software: 'NZBHydra2', who },
});

/**
 * Links name the host that NZBHydra2 believes to be called by, which behind a proxy may be one that nobody else can
 * reach. The address at which it has just answered is known to work.
 */
function rebaseLink(link: URL, base: string): URL {
  const path = /\/getnzb\/.*$/.exec(link.pathname)?.[0];
  return path === undefined ? link : new URL(`${base}${path}${link.search}`);
}
