import type { Detail, Host } from '../host/port.ts';
import type { Candidate, Release } from '../model/index.ts';

/** The ranked candidates as far as they are known, while sources may still answer. */
export interface LiveList {
  readonly current: ListState;
  /** Hears each change of `current`; call the result to hear no more. */
  onChange(listener: () => void): () => void;
  /** Nothing that matters will come any more. Rejects when the search has failed. */
  readonly settled: Promise<void>;
  /** Nothing at all will come any more. */
  readonly finished: Promise<void>;
}

export interface ListState {
  /** Ranked; those that passed the filters first, those that are something else last. */
  readonly candidates: readonly Candidate[];
  /** How many are something else than what was asked for. */
  readonly mismatchCount: number;
  /** How they are ranked: "Resolution, then size". */
  readonly order: string;
  /** Who still answers, who failed and why. */
  readonly status: string;
  readonly isSearching: boolean;
}

export interface ChooseOptions {
  readonly host: Host;
  /** Take the best one without asking. */
  readonly automatic: boolean;
  /** The one that is taken without asking, whatever the filters say, if it is listed soon. */
  readonly isWanted?: (release: Release) => boolean;
  /** The best one; the first that passed when absent. */
  readonly pickBest?: (candidates: readonly Candidate[]) => Candidate | undefined;
  readonly signal: AbortSignal;
  /** Why a candidate stands where it does, for the details of its row. */
  readonly explain?: (candidate: Candidate) => readonly Detail[];
  /** Whether the backend has it already. */
  readonly downloaded?: (release: Release) => boolean;
  /** When it proved broken, in milliseconds since the epoch; undefined: it did not, or not lately. */
  readonly failedAt?: (release: Release) => number | undefined;
  /** Where the person left it, in seconds; undefined for all but what they watched last. */
  readonly leftAt?: (release: Release) => number | undefined;
}
