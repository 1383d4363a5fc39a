import { watchdog } from '../../io/wait.ts';
import { headTimes, type RetryPolicy } from '../policy/policies.ts';
import { WINDOW_OVERLAP, windowAfter } from '../policy/windows.ts';
import { openHedged } from '../source/open-hedged.ts';
import type { ByteSource, OpenedRange, RangeRequest } from '../source/source.ts';
import type { AnswerTimes } from './answer-times.ts';

export interface RangeOpenerTask {
  readonly source: ByteSource;
  readonly size: number;
  readonly policy: RetryPolicy;
  readonly answers: AnswerTimes;
  /** A request is made. */
  readonly onRequest: () => void;
  /** A head has not come for so many milliseconds that this tells of trouble; it is waited for further. */
  readonly onLate: (ms: number) => void;
  /** Ends every wait for a head. */
  readonly signal: AbortSignal;
}

/** The wait that a request is to end. */
export interface WaitState {
  /** Milliseconds so far. */
  readonly waited: number;
  /** Whether bytes have flowed to the player before. */
  readonly flowing: boolean;
}

/** What is asked for before anybody waits for it. */
export const NO_WAIT: WaitState = { waited: 0, flowing: true };

/** An answer, and when it came: one that was asked for ahead may have stood unread since. */
export interface OpenedAnswer {
  readonly opened: OpenedRange;
  /** performance.now() */
  readonly at: number;
}

/** A window that has been asked for ahead. */
interface NextWindow {
  readonly first: number;
  readonly answer: Promise<OpenedAnswer>;
}

/**
 * How one transfer comes by its answers: by the one that it was given, by open-ended requests, or, where a range's end bounds
 * what the server fetches, by windows, of which the next one is asked for before the one under way ends.
 */
export class RangeOpener {
  readonly #task: RangeOpenerTask;
  /** Where the transfer began. */
  readonly #start: number;
  readonly #windows: boolean;
  #given: OpenedAnswer | undefined;
  #next: NextWindow | undefined;

  constructor(task: RangeOpenerTask, start: number, given?: OpenedRange) {
    this.#task = task;
    this.#start = start;
    this.#windows = task.source.serving?.windows === true;
    this.#given = given && { opened: given, at: performance.now() };
  }

  /** The answer for a position on, up to `limit` (exclusive) at the most. @throws as Source.open */
  async open(position: number, limit: number, waiting: WaitState | undefined): Promise<OpenedAnswer> {
    const given = this.#given;
    const next = this.#next;
    this.#given = undefined;
    this.#next = undefined;
    if (given?.opened.range.first === position) return given;
    given?.opened.body.close();
    if (next?.first === position) return await next.answer;
    dropWindow(next);
    return await this.#ask(position, limit, waiting ?? NO_WAIT);
  }

  /** A second answer beside the one under way, which ends at `until` (exclusive). @throws as Source.open */
  async openHedge(
    position: number,
    until: number,
    { waited, flowing }: WaitState,
    signal: AbortSignal,
  ): Promise<OpenedRange> {
    const { source, size, policy, answers, onRequest } = this.#task;
    // One that may have been lost is asked for again while there is time.
    const { hedgeAfter: timeout } = headTimes(policy, { waited, flowing, usual: answers.usual });
    const wish: RangeRequest = { first: position, size, timeout, signal };
    onRequest();
    return await source.open(this.#windows || until < size ? { ...wish, last: until - 1 } : wish);
  }

  /** So far has the answer come that ends at `until` (exclusive): the next window may be due. */
  advanced(position: number, until: number, limit: number): void {
    const isDue = this.#windows && until - position < WINDOW_OVERLAP && until < limit;
    if (!isDue || this.#next !== undefined) return;
    const answer = this.#ask(until, limit, NO_WAIT);
    // Whoever takes it hears of the failure.
    answer.catch(() => undefined);
    this.#next = { first: until, answer };
  }

  /** Lets go of what nobody has taken; the signal ends what is still waited for. */
  close(): void {
    this.#given?.opened.body.close();
    dropWindow(this.#next);
    this.#given = undefined;
    this.#next = undefined;
  }

  async #ask(position: number, limit: number, { waited, flowing }: WaitState): Promise<OpenedAnswer> {
    const { source, size, policy, answers, onRequest, onLate, signal } = this.#task;
    const times = headTimes(policy, { waited, flowing, usual: answers.usual });
    const end = Math.min(limit, this.#windows ? position + windowAfter(position - this.#start) : Infinity);
    const wish: RangeRequest = { first: position, size, timeout: times.limit, signal };
    onRequest();
    const late = watchdog(times.stallAfter, () => {
      onLate(times.stallAfter);
    });
    late.start();
    try {
      const opened = await openHedged(
        source,
        // Only what ends before the file does is given an end: see Serving.windows.
        this.#windows || end < size ? { ...wish, last: Math.min(end, size) - 1 } : wish,
        { after: times.hedgeAfter, onHedge: onRequest },
      );
      answers.add(opened.headMs);
      return { opened, at: performance.now() };
    } finally {
      late.end();
    }
  }
}

function dropWindow(next: NextWindow | undefined): void {
  next?.answer.then(
    ({ opened }) => {
      opened.body.close();
    },
    () => undefined,
  );
}
