import { isRefused, isUnanswered, type SourceFailure } from '../policy/failure.ts';

/** What is wrong with the server of a session's file, as long as it lasts. */
export interface Trouble {
  readonly kind: /** Reads fail, and nothing has come since. */
    | 'failing'
    /** The same, for a while by now, and it refused each of them: no connection, or 502 to 504 in its place. */
    | 'refused'
    /** The same, and some of them it left without an answer: nothing has come for a while. */
    | 'silent'
    /** For a while it has called missing what it had. */
    | 'missing';
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The last one; absent where it answers. */
  readonly failure?: SourceFailure;
}

/** A row of failed reads: when it began, and by performance.now(), and how the last one failed. */
interface FailureRun {
  readonly since: number;
  readonly began: number;
  readonly failure: SourceFailure;
}

/** What is known of a server's trouble. */
export class TroubleTracker {
  readonly #reportAfter: number;
  #failing: FailureRun | undefined;
  #unanswered: FailureRun | undefined;
  #refusing: FailureRun | undefined;
  #missing: Trouble | undefined;

  /** @param toldAfter Milliseconds without an answer after which the server counts as away. */
  constructor(toldAfter: number) {
    this.#reportAfter = toldAfter;
  }

  /**
   * A read has failed. Gives for how many milliseconds nothing but refusals have come; 0 where this is none.
   * @param lasting Milliseconds for which it had lasted by now.
   */
  failed(failure: SourceFailure, lasting = 0): number {
    const now = performance.now();
    const row: FailureRun = { since: Date.now() - lasting, began: now - lasting, failure };
    this.#failing = { ...row, ...this.#failing, failure };
    this.#unanswered = isUnanswered(failure.kind) ? { ...row, ...this.#unanswered, failure } : undefined;
    this.#refusing = isRefused(failure.kind) ? { ...row, ...this.#refusing, failure } : undefined;
    return this.#refusing === undefined ? 0 : now - this.#refusing.began;
  }

  /** Bytes have come. */
  bytesReceived(): void {
    this.#failing = undefined;
    this.#unanswered = undefined;
    this.#refusing = undefined;
  }

  /** @param since Milliseconds since the epoch; undefined: it is over. */
  missing(since: number | undefined): void {
    this.#missing = since === undefined ? undefined : { kind: 'missing', since };
  }

  get current(): Trouble | undefined {
    if (this.#missing !== undefined) return this.#missing;
    // A read that waits still fails late: what counts is that nothing comes.
    if (this.#unanswered !== undefined && this.#hasLasted(this.#unanswered))
      return troubleOf(this.#hasLasted(this.#refusing) ? 'refused' : 'silent', this.#unanswered);
    return this.#failing && troubleOf('failing', this.#failing);
  }

  #hasLasted(row: FailureRun | undefined): boolean {
    return row !== undefined && performance.now() - row.began >= this.#reportAfter;
  }
}

const troubleOf = (kind: Trouble['kind'], { since, failure }: FailureRun): Trouble => ({
  kind,
  since,
  failure,
});

/** Whether the server gives no answer, and has given none for a while. */
export const isServerAway = (trouble: Pick<Trouble, 'kind'> | undefined): boolean =>
  trouble?.kind === 'refused' || trouble?.kind === 'silent';
