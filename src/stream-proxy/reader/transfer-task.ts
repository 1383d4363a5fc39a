import type { SourceFailure } from '../policy/failure.ts';
import type { decideRetry as decideStage, RetryDecision, RetryPolicy } from '../policy/policies.ts';
import type { ByteSource } from '../source/source.ts';
import type { AnswerTimes } from './answer-times.ts';
import type { BlockCache } from './cache.ts';
import type { Throughput } from './throughput.ts';

/** What transfers and readers tell while they work; a session keeps the count. */
export interface TransferJournal {
  opened(): void;
  received(bytes: number): void;
  /** So many bytes came in so many milliseconds in which nothing but the upstream held them up. */
  receivedUnthrottled(bytes: number, ms: number): void;
  /**
   * Gives for how many milliseconds nothing but refusals have come.
   * @param lasting Milliseconds for which it had lasted when it counted as a failure; absent: none.
   */
  failed(failure: SourceFailure, lasting?: number): number;
  decided(position: number, failure: SourceFailure, verdict: RetryDecision): void;
  note(what: string): void;
}

/** Somebody waits for a byte that a transfer is to bring. */
export interface ReadWait {
  /** performance.now() when the wait began. */
  readonly since: number;
  /** The same, or when the first answer that is to end it began. */
  readonly silentSince: number;
  /** Since when the player's patience runs: not while something is found out for it. */
  readonly timeoutSince: number;
  /** Whether bytes have flowed to the player before. */
  readonly flowing: boolean;
}

/** Where a transfer is, and how fast. */
export interface TransferState {
  /** The next byte to come. */
  readonly position: number;
  /** Where it ends, exclusive. */
  readonly limit: number;
  readonly rate: Throughput;
}

/** Whom a transfer works for. */
export interface TransferOwner {
  /** Whether a byte at this position shall be fetched now; otherwise the transfer waits for `resume`. */
  canFetch(position: number): boolean;
  waitFor(transfer: TransferState): ReadWait | undefined;
  /** An answer has begun: its bytes are on their way. */
  responseStarted(transfer: TransferState): void;
  /** A read has failed, and is tried again: whoever waits further on may be served sooner by another transfer. */
  retrying(): void;
  /** A body broke off at a position, after so many bytes: where that which came can be relied upon up to. */
  trustedUntil(position: number, flowed: number): number;
  /** So many bytes have just come that end before the transfer's position. */
  filled(transfer: TransferState, bytes: number): void;
}

export interface TransferTask {
  readonly source: ByteSource;
  readonly size: number;
  readonly cache: BlockCache;
  readonly policy: RetryPolicy;
  readonly decide: typeof decideStage;
  readonly journal: TransferJournal;
  readonly owner: TransferOwner;
  readonly answers: AnswerTimes;
  /** For how long the server's bodies are silent. */
  readonly silences: AnswerTimes;
}
