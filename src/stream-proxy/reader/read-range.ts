import { type Deferred, deferred } from '../../io/deferred.ts';
import { type Watchdog, watchdog } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { RetryPolicy } from '../policy/policies.ts';
import type { ByteRange } from '../range.ts';
import type { Loan } from './cache.ts';
import type { Fetcher } from './fetcher.ts';
import type { PlayerRead } from './read-scheduler.ts';
import type { ReadWait } from './transfer-task.ts';

export interface ReadJob {
  readonly fetcher: Fetcher;
  readonly journal: ReadJournal;
  readonly range: ByteRange;
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  /** No player has asked for it yet: whoever does comes first. */
  readonly isPrefetch?: boolean;
}

export interface ReadJournal {
  /** Bytes were waited for, for so many milliseconds; `first`: the first ones of a request. */
  waited(ms: number, first: boolean): void;
  /** The server is known to give no answer. */
  readonly isServerAway: boolean;
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

class RangeReader implements LoanStream, PlayerRead {
  position: number;
  readonly last: number;
  readonly isPrefetch: boolean;
  wait: (ReadWait & { readonly done: Deferred<void> }) | undefined;
  readonly #job: ReadJob;
  readonly #onAbort: () => void;
  readonly #began = performance.now();
  #idle = false;
  #watchdog: Watchdog;
  /** Milliseconds of it. */
  #timeout: number;
  #flowing = false;

  constructor(job: ReadJob) {
    this.#job = job;
    this.position = job.range.first;
    this.last = job.range.last;
    this.isPrefetch = job.isPrefetch ?? false;
    this.#timeout = job.policy.firstByteTimeout;
    this.#watchdog = this.#startWatchdog();
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
    this.#job.fetcher.reschedule();
  }

  async next(): Promise<Loan | undefined> {
    const { fetcher, signal } = this.#job;
    while (this.position <= this.last) {
      signal.throwIfAborted();
      const loan = fetcher.take(this.position, this.last - this.position + 1);
      if (loan !== undefined) return this.#advance(loan);
      await this.#waitForBytes();
    }
    return undefined;
  }

  close(): void {
    this.#watchdog.end();
    this.#job.signal.removeEventListener('abort', this.#onAbort);
    this.#job.fetcher.leave(this);
  }

  wake(): void {
    this.wait?.done.resolve();
    this.wait = undefined;
  }

  responseStarted(): void {
    // Once: answers that break off without a byte would otherwise hold up the film for as long as they are repeated.
    if (this.wait?.silentSince !== this.wait?.since || this.wait === undefined) return;
    this.wait = { ...this.wait, silentSince: performance.now() };
  }

  extendPatience(): void {
    if (this.wait === undefined) return;
    this.wait = { ...this.wait, timeoutSince: performance.now() };
    this.#watchdog.start();
  }

  fail(failure: SourceFailure): void {
    this.wait?.done.reject(failure);
    this.wait = undefined;
  }

  #advance(loan: Loan): Loan {
    const room = this.last - this.position + 1;
    const bytes = loan.bytes.byteLength > room ? loan.bytes.subarray(0, room) : loan.bytes;
    const from = this.position;
    this.position += bytes.byteLength;
    if (!this.#flowing) this.#noteStarted();
    this.#job.fetcher.advanced(this, from);
    return {
      bytes,
      release: () => {
        loan.release();
      },
    };
  }

  /** Bytes have begun to flow: from here on the player's patience is another. */
  #noteStarted(): void {
    this.#flowing = true;
    this.#job.journal.waited(performance.now() - this.#began, true);
    this.#setTimeout(this.#job.policy.nextByteTimeout);
  }

  #setTimeout(ms: number): void {
    if (ms === this.#timeout) return;
    this.#timeout = ms;
    this.#watchdog.end();
    this.#watchdog = this.#startWatchdog();
  }

  #startWatchdog(): Watchdog {
    const ms = this.#timeout;
    return watchdog(ms, () => {
      this.fail(new SourceFailure('stalled', `no byte within ${ms} ms`));
    });
  }

  /** Who waits in silence does not hear their person's Stop: not for long where nothing has been coming. */
  get #currentTimeout(): number {
    const { policy, journal } = this.#job;
    const { nextByteTimeout: patience, firstByteTimeout: patienceAtStart, refusedTimeout: refused } = policy;
    const lasts = this.#flowing ? patience : patienceAtStart;
    return journal.isServerAway ? Math.min(lasts, refused) : lasts;
  }

  /** Waits until the byte at the position is there. */
  async #waitForBytes(): Promise<void> {
    const done: Deferred<void> = deferred();
    const since = performance.now();
    this.#setTimeout(this.#currentTimeout);
    this.wait = { since, silentSince: since, timeoutSince: since, flowing: this.#flowing, done };
    this.#watchdog.start();
    try {
      this.#job.fetcher.reschedule();
      await done.promise;
    } finally {
      this.wait = undefined;
      this.#watchdog.stop();
      if (this.#flowing) this.#job.journal.waited(performance.now() - since, false);
    }
  }
}
