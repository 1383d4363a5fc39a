import type { Faults } from '../faults.ts';

/** What goes wrong in the indexer itself, whichever dialect it speaks. */
export interface IndexerFaults {
  /**
   * empty: searches find nothing. flood: they list ten thousand posts that have nothing to do with it. kindless: only
   * plain text is understood.
   */
  search?: 'empty' | 'flood' | 'kindless' | undefined;
  nzb?: Faults['nzb'];
}
