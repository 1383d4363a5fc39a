import type { SourceFailure } from '../policy/failure.ts';

/**
 * Milliseconds that a body may be held up until its end is no failure: InfiniDysk closes a connection on which nothing
 * could be sent for 60 s, others later (protocols.md §2.5). Bytes that may have been on their way then.
 */
const LONG_PAUSE = 10_000;
const MAX_IN_FLIGHT = 8 * 1024 * 1024;

/** Whether the bytes of one answer are taken, and what its end means where they were not. */
export class Backpressure {
  /** Since when nothing is taken (performance.now()); undefined: it is taken. */
  #since: number | undefined;
  /** Bytes since it was held up for long; undefined: it was not. */
  #bytesSince: number | undefined;

  /** @param since When the answer came, where it was left unread until now (performance.now()). */
  constructor(since?: number) {
    this.#since = since;
    this.resume();
  }

  /** Whether nothing is taken now. */
  get isPaused(): boolean {
    return this.#since !== undefined;
  }

  pause(): void {
    this.#since ??= performance.now();
  }

  resume(): void {
    if (this.#isLong) this.#bytesSince = 0;
    this.#since = undefined;
  }

  took(bytes: number): void {
    if (this.#bytesSince !== undefined) this.#bytesSince += bytes;
  }

  /** Whether the server has closed the connection because of that: no failure, and no retry. */
  explains({ kind }: SourceFailure): boolean {
    const bytes = this.#isLong ? 0 : this.#bytesSince;
    return kind === 'broken' && bytes !== undefined && bytes <= MAX_IN_FLIGHT;
  }

  get #isLong(): boolean {
    return this.#since !== undefined && performance.now() - this.#since >= LONG_PAUSE;
  }
}
