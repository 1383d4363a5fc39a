import type { SourceFailure } from '../policy/failure.ts';
import type { decide as decideStage, RetryPolicy, Verdict } from '../policy/policy.ts';
import type { Source } from '../source/source.ts';
import type { AnswerTimes } from './answer-times.ts';
import type { Cache } from './cache.ts';
import type { Rate } from './rate.ts';

/** What lanes and readers tell while they work; a session keeps the count. */
export interface Journal {
  opened(): void;
  received(bytes: number): void;
  /** So many bytes came in so many milliseconds in which nothing but the upstream held them up. */
  unheld(bytes: number, ms: number): void;
  /**
   * Gives for how many milliseconds nothing but refusals have come.
   * @param lasting Milliseconds for which it had lasted when it counted as a failure; absent: none.
   */
  failed(failure: SourceFailure, lasting?: number): number;
  decided(position: number, failure: SourceFailure, verdict: Verdict): void;
  note(what: string): void;
}

/** Somebody waits for a byte that a lane is to bring. */
export interface Want {
  /** performance.now() when the wait began. */
  readonly since: number;
  /** The same, or when the first answer that is to end it began. */
  readonly silentSince: number;
  /** Since when the player's patience runs: not while something is found out for it. */
  readonly patientSince: number;
  /** Whether bytes have flowed to the player before. */
  readonly flowing: boolean;
}

/** Where a lane is, and how fast. */
export interface LanePlace {
  /** The next byte to come. */
  readonly position: number;
  /** Where it ends, exclusive. */
  readonly limit: number;
  readonly rate: Rate;
}

/** Whom a lane works for. */
export interface LaneKeeper {
  /** Whether a byte at this position shall be fetched now; otherwise the lane waits for `resume`. */
  mayFill(position: number): boolean;
  wants(lane: LanePlace): Want | undefined;
  /** An answer has begun: its bytes are on their way. */
  answered(lane: LanePlace): void;
  /** A read has failed, and is tried again: whoever waits further on may be served sooner by another lane. */
  stumbled(): void;
  /** A body broke off at a position, after so many bytes: where that which came can be relied upon up to. */
  reliable(position: number, flowed: number): number;
  /** So many bytes have just come that end before the lane's position. */
  filled(lane: LanePlace, bytes: number): void;
}

export interface LaneTask {
  readonly source: Source;
  readonly size: number;
  readonly cache: Cache;
  readonly policy: RetryPolicy;
  readonly decide: typeof decideStage;
  readonly journal: Journal;
  readonly keeper: LaneKeeper;
  readonly answers: AnswerTimes;
  /** For how long the server's bodies are silent. */
  readonly silences: AnswerTimes;
}
