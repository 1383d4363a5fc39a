import type { SearchSupport } from '../search.ts';
import { indexerNumbers } from './categories.ts';
import type { ProwlarrIndexer } from './indexer.ts';

/** What is searched for, whichever way it was asked. */
export interface Criteria {
  /** Also a word that Prowlarr does not know: it is sent on as it is. */
  readonly type: string;
  readonly text: string;
  /** Newznab parameters beside the text, as they are sent on. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Empty: all. */
  readonly categories: readonly number[];
  readonly limit: number;
  readonly offset: number;
  /** Sent on to every indexer, whatever it knows. */
  readonly further?: Readonly<Record<string, string>>;
}

/** The person's key at every indexer behind it. */
const INDEXERS_KEY = '0f3c5a7e9b1d2f4a6c8e0b2d4f6a8c0e';

const KNOWN_TYPES = ['search', 'tvsearch', 'movie', 'music', 'book'];
/** In this order they are sent on. */
const IDS = ['imdbid', 'tmdbid', 'tvdbid', 'tvmazeid', 'rid', 'year', 'genre'];
/** An indexer that does not know these is asked without them. Inferred: not recorded. */
const NUMBERS = ['season', 'ep'];

/**
 * What one indexer is asked; undefined: it lacks a parameter or all categories, and is not asked (protocols.md §7.2).
 *
 * @param support what it can be asked by
 */
export function forwardedQuery(
  criteria: Criteria,
  { categories }: ProwlarrIndexer,
  support: SearchSupport,
): URLSearchParams | undefined {
  const { type, text, parameters, limit, offset, further = {} } = criteria;
  const known = type === 'movie' ? support.movie : type === 'tvsearch' ? support.tv : [];
  if (IDS.some((name) => parameters.has(name) && !known.includes(name))) return undefined;
  const cat = indexerNumbers(categories, criteria.categories);
  if (criteria.categories.length > 0 && cat.length === 0) return undefined;
  const sent = [...IDS, ...NUMBERS].filter((name) => parameters.has(name) && known.includes(name));
  const isText = sent.length === 0 && KNOWN_TYPES.includes(type);
  const query = new URLSearchParams({ t: isText ? 'search' : type, extended: '1' });
  if (cat.length > 0) query.set('cat', cat.join(','));
  query.set('apikey', INDEXERS_KEY);
  for (const name of sent) query.set(name, parameters.get(name) ?? '');
  if (text !== '') query.set('q', text);
  for (const [name, value] of Object.entries(further)) query.set(name, value);
  query.set('limit', String(limit));
  query.set('offset', String(offset));
  return query;
}

/** As Prowlarr sends a value on: an IMDb id as seven digits or more, the season 0 as two. */
export function forwardedValue(name: string, value: string): string {
  if (name === 'imdbid') return value.replace(/^tt/, '').padStart(7, '0');
  return name === 'season' && Number(value) === 0 ? '00' : value;
}

/** The address of a post's NZB at its indexer, with the person's key there. */
export const addressAtIndexer = (base: string, guid: string): string =>
  `${base}/getnzb?id=${guid}&i=1234&r=${INDEXERS_KEY}`;
