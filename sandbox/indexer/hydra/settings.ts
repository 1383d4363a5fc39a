/** NZBHydra2's times in milliseconds; tests and benches shorten them. */
export interface HydraTimes {
  /** For which it waits for an indexer's list, and for its NZB. */
  readonly limit: number;
  /** For which an indexer rests after its first failure in a row, its second, and so on; the last one is kept to. */
  readonly cooldowns: readonly number[];
}

const MINUTE = 60_000;

/** As it comes (protocols.md §6.3, §6.4). */
export const HYDRA_TIMES: HydraTimes = {
  limit: 20_000,
  cooldowns: [5 * MINUTE, 15 * MINUTE, 30 * MINUTE, 60 * MINUTE, 180 * MINUTE],
};

/** How it is set up; a test changes it at any time. */
export interface HydraSettings {
  times: HydraTimes;
  /** Whether the API key opens the list of the indexers. */
  allowApiStats: boolean;
  /** Whether an error of its own is told as an empty list. */
  wrapApiErrors: boolean;
  /** How people log in; the API takes the key with either. */
  authentication: 'NONE' | 'FORM';
}

/** What differs from how it comes. */
export type HydraSetup = Partial<Omit<HydraSettings, 'times'>> & { readonly times?: Partial<HydraTimes> };

export function hydraSettings({ times, ...set }: HydraSetup = {}): HydraSettings {
  return {
    allowApiStats: true,
    wrapApiErrors: false,
    authentication: 'NONE',
    ...set,
    times: { ...HYDRA_TIMES, ...times },
  };
}
