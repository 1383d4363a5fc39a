import type { Logger } from '../../log/index.ts';
import type { SearchSource } from '../source.ts';
import type { SourceOptions } from '../wire/options.ts';
import { indexerService } from '../wire/refusal.ts';
import { USUAL_CAPS } from './caps.ts';
import { indexerDialect } from './feed.ts';
import { newznabLike } from './source.ts';

/** Indexers change what they offer once in years. */
const CAPS_FRESH_FOR = 7 * 24 * 3_600_000;

/** A Newznab indexer. @throws INVALID_REQUEST when the address is no web address */
export function newznabSource(options: SourceOptions, log: Logger): SearchSource {
  const dialect = {
    service: indexerService(options),
    usualCaps: USUAL_CAPS,
    capsFreshFor: CAPS_FRESH_FOR,
    losesSeasonZero: true,
    pages: 1,
    items: () => indexerDialect(options.name),
  };
  return newznabLike(options, dialect, log);
}
