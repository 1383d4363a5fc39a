import type { HydraIndexer } from './indexer.ts';
import type { Result } from './results.ts';

/** What one indexer has given for a search so far. */
export interface IndexerProgress {
  readonly indexer: HydraIndexer;
  /** In rounds; each of them the newest first. */
  readonly results: Result[];
  /** Rows that it says to have. */
  total: number;
}
