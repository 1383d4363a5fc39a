import type { ErrorCode, SlipstreamError } from '../../errors/index.ts';
import type { Posting, Release } from '../../model/index.ts';
import type { Cooldown } from './cooldown.ts';

/** What a search has found so far. */
export interface SearchState {
  /** What fits the request, merged, in no order that means anything. */
  readonly releases: readonly Release[];
  /** What was found and does not fit, with why. */
  readonly rejected: readonly RejectedRelease[];
  /** In the order in which the sources were given. */
  readonly sources: readonly SourceStatus[];
  /** Whether nothing more will come. */
  readonly finished: boolean;
  /** It was found by an earlier search: those who had answered then are not asked again. */
  readonly earlier?: EarlierSearch;
}

export interface EarlierSearch {
  /** Milliseconds since the epoch. */
  readonly searched: number;
  /** Links that it had found and that could not be kept. */
  readonly lost: number;
}

/** What an earlier search has found, and how each source did. */
export interface EarlierResults {
  readonly postings: readonly Posting[];
  readonly sources: readonly SourceStatus[];
  readonly earlier: EarlierSearch;
}

export interface RejectedRelease {
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
  /** As SearchSource.isIdOnly. */
  readonly isIdOnly?: true;
  /** The manager that it is behind. */
  readonly manager?: { readonly id: string; readonly name: string };
  /** As Answer.failures. */
  readonly partial: readonly SlipstreamError[];
  /** Why it is left alone, from now on or since earlier. */
  readonly rest?: Cooldown;
  /** Milliseconds from the start of the search until it had answered or failed. */
  readonly took?: number;
}

export const isSettled = ({ state }: SourceStatus) =>
  state === 'answered' || state === 'failed' || state === 'resting';

const hasAnswered = ({ state, partial }: SourceStatus) => state === 'answered' && partial.length === 0;

/** What is missing in a list and stays so, whoever asks again. */
const PERMANENT_CODES: ReadonlySet<ErrorCode> = new Set(['AUTH_FAILED', 'TOO_LARGE']);

/**
 * Whether it would be useless to ask the source again: nothing is missing, or it would give no more than it has.
 *
 * @param now milliseconds since the epoch
 */
export function isUpToDate(source: SourceStatus, now: number): boolean {
  const { state, failure, partial, rest } = source;
  if (hasAnswered(source)) return true;
  if (state === 'answered') return partial.every(({ code }) => PERMANENT_CODES.has(code));
  return failure?.code === 'AUTH_FAILED' || (rest !== undefined && rest.until > now);
}
