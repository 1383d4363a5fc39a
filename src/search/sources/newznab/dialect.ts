import type { SearchQuery } from '../source.ts';
import type { FeedItem } from './feed-document.ts';
import type { ItemDialect } from './feed-postings.ts';

/** What differs between those who speak Newznab, whoever is asked. */
export interface NewznabDialect {
  /** Whether it may take season "0" for none at all. */
  readonly ignoresSeasonZero: boolean;
  /** The limit of a query that lists everything, where the first page is not all; absent: one page is all there is. */
  readonly maxListSize?: number;
  /** The categories that a query is asked in; absent: the parents. */
  readonly categoriesOf?: (query: SearchQuery) => readonly string[];
  /** Whether all ids of a work go in one query. */
  readonly idsTogether?: true;
  readonly items: ItemDialect;
  /** Hears the rows of each list. */
  readonly onItems?: (rows: readonly FeedItem[]) => Promise<void>;
}
