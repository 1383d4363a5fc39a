import type { SlipstreamError } from '../errors/index.ts';
import type { Release } from '../model/index.ts';
import type { Rest } from './rest.ts';

/** What a search has found so far. */
export interface SearchState {
  /** What fits the request, merged, in no order that means anything. */
  readonly releases: readonly Release[];
  /** What was found and does not fit, with why. */
  readonly setAside: readonly SetAside[];
  /** In the order in which the sources were given. */
  readonly sources: readonly SourceStatus[];
  /** Whether nothing more will come. */
  readonly finished: boolean;
  /** It was found by an earlier search: nobody is asked now. */
  readonly earlier?: Earlier;
}

export interface Earlier {
  /** Milliseconds since the epoch. */
  readonly searched: number;
  /** Links that it had found and that could not be kept. */
  readonly lost: number;
}

export interface SetAside {
  readonly release: Release;
  /** In words for the person: "Another episode: S02E03". */
  readonly reason: string;
}

export interface SourceStatus {
  readonly id: string;
  readonly name: string;
  /** `failed`: its last query did; what it had given before is kept. */
  readonly state: 'waiting' | 'asked' | 'answered' | 'failed' | 'resting';
  /** Posts that it listed, and those of them that fit. */
  readonly found: number;
  readonly fitting: number;
  readonly failure?: SlipstreamError;
  /** Indexers behind a manager that failed while others answered. */
  readonly partial: readonly SlipstreamError[];
  /** Why it is left alone, from now on or since earlier. */
  readonly rest?: Rest;
  /** Milliseconds from the start of the search until it had answered or failed. */
  readonly took?: number;
}

export const isSettled = ({ state }: SourceStatus) =>
  state === 'answered' || state === 'failed' || state === 'resting';
