import type { SlipstreamError } from '../errors/index.ts';
import type { Posting } from '../model/index.ts';
import type { Check } from '../settings/index.ts';

/**
 * One place that is searched: an indexer, or a manager of indexers. It knows one dialect and nothing of requests, plans,
 * patience or rests, which are search's. Every implementation passes test/contracts/source.ts.
 */
export interface SearchSource {
  /** Stable across runs and free of secrets: rest times and caches hang on it. */
  readonly id: string;
  /** The name the person gave it. */
  readonly name: string;
  /** What it can be asked by; remembered for days, so that it mostly costs no request. @throws as `ask` */
  abilities(signal: AbortSignal): Promise<Abilities>;
  /**
   * Sends one query; "unsupported" when the source does not know such a one.
   *
   * @throws SlipstreamError AUTH_FAILED, RATE_LIMITED (with `retryAfter` where it says one), UNREACHABLE, TIMEOUT,
   *   BAD_ANSWER, TOO_LARGE, SERVICE_ERROR; the signal's reason when it aborts
   */
  ask(query: SearchQuery, signal: AbortSignal): Promise<Answer | 'unsupported'>;
  /**
   * Tries, one after the other, all that a search will need, and ends with the first thing that does not work. Asks
   * anew whatever is remembered. Rejects only when the signal aborts.
   */
  test(signal: AbortSignal): Promise<readonly Check[]>;
}

export type IdKind = 'imdb' | 'tmdb' | 'tvdb' | 'tvmaze';

export interface Abilities {
  readonly movieIds: readonly IdKind[];
  readonly seriesIds: readonly IdKind[];
  /** Whether season and episode numbers are understood beside an id or a text. */
  readonly numbers: boolean;
  /** Whether a text is understood where a film, or an episode, is asked for by kind. A plain text always is. */
  readonly movieText: boolean;
  readonly seriesText: boolean;
}

/** What is asked, in nobody's dialect. */
export interface SearchQuery {
  /** By kind where the source knows kinds; `text`: any post with these words. */
  readonly kind: 'movie' | 'series' | 'text';
  readonly area: 'movies' | 'series' | 'anime';
  /** With its "tt" for imdb, else digits. Never together with `text`: sources that know both AND or OR them. */
  readonly id?: { readonly kind: IdKind; readonly value: string };
  /** Words only: plain, lower case, no signs. */
  readonly text?: string;
  /** Without `episode`: the whole season. 0 for specials. */
  readonly season?: number;
  readonly episode?: number;
  /** Of a daily show's broadcast, YYYY-MM-DD, instead of both numbers. */
  readonly date?: string;
}

export interface Answer {
  readonly postings: readonly Posting[];
  /** Indexers behind a manager that failed while others answered. */
  readonly failures: readonly SlipstreamError[];
  /** It did not know the id, and has listed whatever is newest. */
  readonly ignoredId: boolean;
  /**
   * What the source itself failed with after it had listed something: a limit that a further page met, or a key that
   * was refused there. It counts as if `ask` had thrown it, and what was listed is kept.
   */
  readonly failure?: SlipstreamError;
}
