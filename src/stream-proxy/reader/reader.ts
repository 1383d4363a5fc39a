import { type Deferred, deferred } from '../../io/deferred.ts';
import { type Watchdog, watchdog } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { RetryPolicy } from '../policy/policy.ts';
import type { ByteRange } from '../range.ts';
import type { Loan } from './cache.ts';
import type { Reading } from './demand.ts';
import type { Fetcher } from './fetcher.ts';
import type { Want } from './lane-task.ts';

export interface ReadJob {
  readonly fetcher: Fetcher;
  readonly journal: ReadJournal;
  readonly range: ByteRange;
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  /** No player has asked for it yet: whoever does comes first. */
  readonly unasked?: boolean;
}

export interface ReadJournal {
  /** Bytes were waited for, for so many milliseconds; `first`: the first ones of a request. */
  waited(ms: number, first: boolean): void;
  /** The server is known to give no answer. */
  readonly isAway: boolean;
}

/** Bytes that are pulled, on loan: each loan is to be released before the next one is asked for. */
export interface LoanStream {
  /** The next bytes, at least one; undefined at the end. One call at a time. */
  next(): Promise<Loan | undefined>;
  /** The taker has not been able to take what it was lent for a while, or takes again. */
  idle: boolean;
  /** Frees everything behind it, at once. May be called at any time and more than once. */
  close(): void;
}

/**
 * The bytes of a range, every one exactly once and in order. Fails with a SourceFailure when they cannot be had in
 * time: the bytes until then were right, and no further ones exist.
 */
export function readRange(job: ReadJob): LoanStream {
  return new RangeReader(job);
}

class RangeReader implements LoanStream, Reading {
  position: number;
  readonly last: number;
  readonly unasked: boolean;
  wait: (Want & { readonly done: Deferred<void> }) | undefined;
  readonly #job: ReadJob;
  readonly #onAbort: () => void;
  readonly #began = performance.now();
  #idle = false;
  #patience: Watchdog;
  /** Milliseconds of it. */
  #lasts: number;
  #flowing = false;

  constructor(job: ReadJob) {
    this.#job = job;
    this.position = job.range.first;
    this.last = job.range.last;
    this.unasked = job.unasked ?? false;
    this.#lasts = job.policy.patienceAtStart;
    this.#patience = this.#watch();
    this.#onAbort = () => {
      this.wait?.done.reject(job.signal.reason as Error);
    };
    job.signal.addEventListener('abort', this.#onAbort, { once: true });
    job.fetcher.join(this);
  }

  get idle(): boolean {
    return this.#idle;
  }

  set idle(idle: boolean) {
    if (idle === this.#idle) return;
    this.#idle = idle;
    this.#job.fetcher.plan();
  }

  async next(): Promise<Loan | undefined> {
    const { fetcher, signal } = this.#job;
    while (this.position <= this.last) {
      signal.throwIfAborted();
      const loan = fetcher.take(this.position, this.last - this.position + 1);
      if (loan !== undefined) return this.#count(loan);
      await this.#more();
    }
    return undefined;
  }

  close(): void {
    this.#patience.end();
    this.#job.signal.removeEventListener('abort', this.#onAbort);
    this.#job.fetcher.leave(this);
  }

  wake(): void {
    this.wait?.done.resolve();
    this.wait = undefined;
  }

  answered(): void {
    // Once: answers that break off without a byte would otherwise hold up the film for as long as they are repeated.
    if (this.wait?.silentSince !== this.wait?.since || this.wait === undefined) return;
    this.wait = { ...this.wait, silentSince: performance.now() };
  }

  holdOn(): void {
    if (this.wait === undefined) return;
    this.wait = { ...this.wait, patientSince: performance.now() };
    this.#patience.start();
  }

  fail(failure: SourceFailure): void {
    this.wait?.done.reject(failure);
    this.wait = undefined;
  }

  #count(loan: Loan): Loan {
    const room = this.last - this.position + 1;
    const bytes = loan.bytes.byteLength > room ? loan.bytes.subarray(0, room) : loan.bytes;
    const from = this.position;
    this.position += bytes.byteLength;
    if (!this.#flowing) this.#flow();
    this.#job.fetcher.advanced(this, from);
    return {
      bytes,
      release: () => {
        loan.release();
      },
    };
  }

  /** Bytes have begun to flow: from here on the player's patience is another. */
  #flow(): void {
    this.#flowing = true;
    this.#job.journal.waited(performance.now() - this.#began, true);
    this.#bePatientFor(this.#job.policy.patience);
  }

  #bePatientFor(ms: number): void {
    if (ms === this.#lasts) return;
    this.#lasts = ms;
    this.#patience.end();
    this.#patience = this.#watch();
  }

  #watch(): Watchdog {
    const ms = this.#lasts;
    return watchdog(ms, () => {
      this.fail(new SourceFailure('stalled', `no byte within ${ms} ms`));
    });
  }

  /** Who waits in silence does not hear their person's Stop: not for long where nothing has been coming. */
  get #patienceNow(): number {
    const { policy, journal } = this.#job;
    const { patience, patienceAtStart, refused } = policy;
    const lasts = this.#flowing ? patience : patienceAtStart;
    return journal.isAway ? Math.min(lasts, refused) : lasts;
  }

  /** Waits until the byte at the position is there. */
  async #more(): Promise<void> {
    const done: Deferred<void> = deferred();
    const since = performance.now();
    this.#bePatientFor(this.#patienceNow);
    this.wait = { since, silentSince: since, patientSince: since, flowing: this.#flowing, done };
    this.#patience.start();
    try {
      this.#job.fetcher.plan();
      await done.promise;
    } finally {
      this.wait = undefined;
      this.#patience.stop();
      if (this.#flowing) this.#job.journal.waited(performance.now() - since, false);
    }
  }
}
