import type { Logger } from '../../log/index.ts';
import type { Release } from '../../model/index.ts';
import type { ReleaseNameParser } from '../../release/index.ts';
import type { Cooldowns } from './cooldown.ts';
import type { EarlierResults } from './search-state.ts';
import type { SearchTimeouts } from './timeouts.ts';

export interface SearchOptions {
  /** Ends the search: `enough` and `finished` then reject with its reason. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly cooldowns: Cooldowns;
  /** What differs from the usual. */
  readonly timeouts?: Partial<SearchTimeouts>;
  /** Whether whole seasons are wanted beside an episode. */
  readonly packs?: boolean;
  /**
   * Whether a release that fits is one that the person could want: only those count when it is asked whether there are
   * enough. All are by default. Asked once of each release.
   */
  readonly isGood?: (release: Release) => boolean;
  readonly loadParser?: () => Promise<ReleaseNameParser>;
  /** What an earlier search of the same has found: only those are asked that are missing in it. */
  readonly earlierResults?: EarlierResults;
}
