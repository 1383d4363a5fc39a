/** How long who is waited for. All times in milliseconds. */
export interface SearchTimeouts {
  /** For one source, all of its queries together. */
  readonly source: number;
  /** The same for single sources, by their id: managers of indexers wait for the slowest of theirs. */
  readonly perSource?: Readonly<Record<string, number>>;
  /**
   * For the whole search: what has not come by then does not come any more. A longer time for a single source counts
   * instead.
   */
  readonly overall: number;
  /** So many good releases are enough for a list. */
  readonly enoughReleases: number;
  /** How long the others are still waited for once there are enough. */
  readonly grace: number;
  /** The same once there is anything good at all. */
  readonly graceForFew: number;
  /** From the start of one query to the start of the next at the same source (protocols.md §5.5). */
  readonly querySpacing: number;
}

const DEFAULT_TIMEOUTS: SearchTimeouts = {
  source: 20_000,
  overall: 45_000,
  enoughReleases: 5,
  grace: 1_500,
  graceForFew: 6_000,
  querySpacing: 1_000,
};

/** What differs from the usual, filled up: no source's own time is cut by that of all. */
export function timeoutsOf(own: Partial<SearchTimeouts> = {}): SearchTimeouts {
  const patience = { ...DEFAULT_TIMEOUTS, ...own };
  const longest = Math.max(patience.overall, ...Object.values(patience.perSource ?? {}));
  return { ...patience, overall: longest };
}
