import type { Check } from '../../diagnosis/check.ts';
import type { SlipstreamError } from '../../errors/index.ts';
import type { IdKind, Posting } from '../../model/index.ts';
import type { Unavailability } from './unavailability.ts';

/** What is searched, as the person has set it up. */
export type ConfiguredSource = (SearchSource | SourceManager) & TestableSource;

/**
 * One place that is searched: an indexer, or what searches several as one. It knows one dialect and nothing of requests,
 * plans, patience or rests, which are search's. Every implementation passes test/contracts/source.ts.
 */
export interface SearchSource {
  /** Stable across runs and free of secrets: rest times and caches hang on it. */
  readonly id: string;
  /** The name the person gave it; behind a manager, the one it has there. */
  readonly name: string;
  /** Host and port of its address, as `placed` writes them, where they are known. */
  readonly place?: string;
  /** Milliseconds for all of its queries together, where they are not the usual ones. */
  readonly timeout?: number;
  /**
   * Its links may hold secrets that nobody here knows, or be good for a short time only: none of them is kept on disk, and
   * whoever goes back to a list that was kept has it asked again.
   */
  readonly hasSecretLinks?: true;
  /** It can be asked by id only: for words it lists nothing. */
  readonly isIdOnly?: true;
  /** What it can be asked by; remembered for days, so that it mostly costs no request. @throws as `ask` */
  capabilities(signal: AbortSignal): Promise<SearchCapabilities>;
  /**
   * Sends one query; "unsupported" when the source does not know such a one.
   *
   * @throws SlipstreamError AUTH_FAILED, RATE_LIMITED (with `retryAfter` where it says one), UNREACHABLE, TIMEOUT,
   *   BAD_ANSWER, TOO_LARGE, SERVICE_ERROR; StandingError from behind a manager; the signal's reason when it aborts
   */
  ask(query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer | 'unsupported'>;
}

/** A manager of indexers: each of them is a source of its own. */
export interface SourceManager {
  /** As of a SearchSource; the ids of those behind it begin with it. */
  readonly id: string;
  /** The name the person gave it. */
  readonly name: string;
  /**
   * The sources behind it, as it has them now: one query, which asks none of them. 'joint': it does not tell them
   * apart, and is asked as a whole.
   *
   * @throws as SearchSource.ask
   */
  members(signal: AbortSignal): Promise<readonly MemberSource[] | AggregateSource>;
}

/** A source behind a manager. */
export interface MemberSource extends SearchSource {
  readonly manager: Pick<SourceManager, 'id' | 'name'>;
  /** Why it is not to be asked, as the manager has just said with its list of sources. */
  readonly unavailability?: Unavailability;
  /**
   * Asks the manager anew why it would not ask this source; undefined: it would. No query reaches the source.
   *
   * @throws as SearchSource.ask
   */
  checkAvailability(signal: AbortSignal): Promise<Unavailability | undefined>;
}

/** All that is behind a manager, asked as one. */
export interface AggregateSource extends SearchSource {
  readonly isAggregate: true;
}

export interface TestableSource {
  /**
   * Tries, one after the other, all that a search will need, and ends with the first thing that does not work. Asks
   * anew whatever is remembered. Rejects only when the signal aborts.
   */
  test(signal: AbortSignal): Promise<readonly Check[]>;
}

export const isManager = (source: SearchSource | SourceManager): source is SourceManager =>
  'members' in source;

export interface SearchCapabilities {
  readonly movieIds: readonly IdKind[];
  readonly seriesIds: readonly IdKind[];
  /** Whether season and episode numbers are understood beside an id or a text. */
  readonly episodeNumbers: boolean;
  /** Whether a text is understood where a film, or an episode, is asked for by kind. A plain text mostly is. */
  readonly movieText: boolean;
  readonly seriesText: boolean;
  /** A plain text is not to be asked for. */
  readonly noPlainText?: true;
  /** Whether it takes all ids of a work in one query, and gives each indexer those that it knows. */
  readonly idsTogether?: true;
}

export interface WorkId {
  readonly kind: IdKind;
  readonly value: string;
}

/** What is asked, in nobody's dialect. */
export interface SearchQuery {
  /** By kind where the source knows kinds; `text`: any post with these words. */
  readonly kind: 'movie' | 'series' | 'text';
  readonly area: 'movies' | 'series' | 'anime';
  /** With its "tt" for imdb, else digits. Never together with `text`: sources that know both AND or OR them. */
  readonly id?: WorkId;
  /** Further ids of the same work, only beside `id` and where they are taken together. */
  readonly otherIds?: readonly WorkId[];
  /** Words only: plain, lower case, no signs. */
  readonly text?: string;
  /** Without `episode`: the whole season. 0 for specials. */
  readonly season?: number;
  readonly episode?: number;
  /** Of a daily show's broadcast, YYYY-MM-DD, instead of both numbers. */
  readonly date?: string;
}

export interface SearchAnswer {
  readonly postings: readonly Posting[];
  /** What is missing in the list although the source has answered: an add-on that failed, posts that were cut off. */
  readonly failures: readonly SlipstreamError[];
  /** Asks for the rest of a list that has only begun: one more query. @throws as SearchSource.ask */
  readonly fetchRest?: (signal: AbortSignal) => Promise<SearchAnswer>;
  /** It did not know the id, and has listed whatever is newest. */
  readonly ignoredId: boolean;
  /**
   * What the source itself failed with after it had listed something: a limit that a further page met, or a key that
   * was refused there. It counts as if `ask` had thrown it, and what was listed is kept.
   */
  readonly failure?: SlipstreamError;
}

/** How a source is called where others stand beside it: "Example by Prowlarr". */
export const sourceName = ({
  name,
  manager,
}: {
  name: string;
  manager?: { readonly name: string };
}): string => (manager === undefined ? name : `${name} by ${manager.name}`);
