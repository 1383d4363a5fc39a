import { SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { SearchSource } from '../source.ts';
import type { SourceOptions } from '../wire/options.ts';
import { indexerService, type Service } from '../wire/refusal.ts';
import type { Findable } from '../wire/sought.ts';
import { USUAL_CAPS } from './caps.ts';
import { indexerDialect } from './feed.ts';
import { newznabLike } from './source.ts';

/** Indexers change what they offer once in years. */
const CAPS_FRESH_FOR = 7 * 24 * 3_600_000;

/** A Newznab indexer. @throws INVALID_REQUEST when the address is no web address */
export function newznabSource(options: SourceOptions, log: Logger): SearchSource {
  const service = indexerService(options);
  const dialect = {
    service,
    usualCaps: USUAL_CAPS,
    capsFreshFor: CAPS_FRESH_FOR,
    losesSeasonZero: true,
    pages: 1,
    items: () => indexerDialect(options.name),
    findable: FINDABLE,
    nothingListed: () => nothingListed(service),
  };
  return newznabLike(options, dialect, log);
}

const FINDABLE: Findable = {
  settings: { url: 'indexer_url', key: 'indexer_api_key' },
  usualPorts: [],
  usualPaths: ['/newznab'],
  isTheirs: true,
  hasApiHost: true,
};

/** Some answer so where an account is not what it was. */
const nothingListed = ({ who, ownPlace }: Service) =>
  new SlipstreamError('NO_RESULTS', {
    what: `${who} takes the key, but lists nothing, not even its newest films.`,
    next: `Look at ${ownPlace} whether your account is active and includes the API.`,
  });
