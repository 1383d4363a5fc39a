import type { IndexerFaults } from '../faults.ts';
import type { HydraIndexer } from './indexer.ts';
import type { Results } from './results.ts';
import type { HydraSettings } from './settings.ts';
import type { IndexerProgress } from './share.ts';

/** What its parts share. */
export interface Hydra {
  readonly apiKey: string;
  /** "/nzbhydra2" where it is set up so. */
  readonly urlBase: string;
  /** The address that it believes to be called by; absent: the one that it is called by. */
  readonly linkBase: string | undefined;
  readonly settings: HydraSettings;
  readonly indexers: readonly HydraIndexer[];
  readonly results: Results;
  /** What the last searches have gathered, for their further pages. */
  readonly gathered: Map<string, readonly IndexerProgress[]>;
  readonly faults: IndexerFaults;
  /** Aborted when it ends. */
  readonly closed: AbortSignal;
}
