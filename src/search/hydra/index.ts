import { SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { ItemDialect } from '../newznab/feed.ts';
import { newznabLike } from '../newznab/source.ts';
import type { SearchSource } from '../source.ts';
import { type Caps, PAGE } from '../wire/caps.ts';
import type { SourceOptions } from '../wire/options.ts';
import { stableGuid } from '../wire/reading.ts';
import { managerService, type Service } from '../wire/refusal.ts';
import type { Findable } from '../wire/sought.ts';

/** Its caps follow its own settings, which the person may be changing just now. */
const CAPS_FRESH_FOR = 24 * 3_600_000;

/**
 * It gives the newest hundred of all its indexers together, so those of one film may fill several pages. It has them in
 * memory by then: no indexer is asked again.
 */
const PAGES = 5;

/** NZBHydra2 converts ids for indexers that lack one. */
const USUAL_CAPS: Caps = {
  search: ['q'],
  tv: ['q', 'season', 'ep', 'tvdbid', 'tvmazeid', 'tmdbid', 'imdbid'],
  movie: ['q', 'imdbid', 'tmdbid'],
  limit: PAGE,
};

/**
 * NZBHydra2 by its Newznab interface (protocols.md §6), which tells nothing of indexers that failed: a failure of one
 * looks like an empty list of it.
 *
 * @throws INVALID_REQUEST when the address is no web address
 */
export function hydraSource(options: SourceOptions, log: Logger): SearchSource {
  const { name } = options;
  const service = managerService('NZBHydra2', options, 'in NZBHydra2 under Config, Main, Security');
  const dialect = {
    service,
    usualCaps: USUAL_CAPS,
    capsFreshFor: CAPS_FRESH_FOR,
    losesSeasonZero: false,
    pages: PAGES,
    items: (base: string) => itemDialect(name, base),
    findable: FINDABLE,
    nothingListed: () => nothingListed(service),
  };
  return newznabLike(options, dialect, log);
}

const FINDABLE: Findable = {
  settings: { url: 'hydra_url', key: 'hydra_api_key' },
  usualPorts: ['5076'],
  usualPaths: ['/nzbhydra2', '/nzbhydra', '/hydra'],
  isTheirs: false,
};

/** All that it tells of indexers whose accounts have ended, or that are switched off. */
const nothingListed = ({ who }: Service) =>
  new SlipstreamError('NO_RESULTS', {
    what: `${who} takes the key, but none of its indexers lists anything, not even the newest films.`,
    next: 'Look in NZBHydra2 under Config, Indexers whether they are on, and under Stats & Indexers what they fail of: an account may have expired.',
  });

const itemDialect = (name: string, base: string): ItemDialect => ({
  indexerOf: ({ attributes }) => attributes.get('hydraindexername') || name,
  // The attribute is the id of this search's row, another one each time; the element is the indexer's own.
  guidOf: ({ texts }) => stableGuid(texts.get('guid') ?? ''),
  linkOf: (link) => throughBase(link, base),
});

/**
 * Links name the host that NZBHydra2 believes to be called by, which behind a proxy may be one that nobody else can
 * reach. The address at which it has just answered is known to work.
 */
function throughBase(link: URL, base: string): URL {
  const path = /\/getnzb\/.*$/.exec(link.pathname)?.[0];
  return path === undefined ? link : new URL(`${base}${path}${link.search}`);
}
