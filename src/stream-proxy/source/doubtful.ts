import { pause } from '../../io/wait.ts';
import type { Serving } from '../../model/index.ts';
import { type FailureKind, SourceFailure } from '../policy/failure.ts';
import type { OpenedRange, Source, Wish } from './source.ts';
import type { Validators } from './validators.ts';

/** What says that another file is there now: one answer may be a slip of the server's. */
export const DOUBTFUL: ReadonlySet<FailureKind> = new Set(['changed', 'another']);

/** Requests in all: an origin that slips in one answer of five does so in all three of 1 in 125 places. */
const REQUESTS = 3;
/** Milliseconds between two of them. */
const BETWEEN = 250;

/**
 * Opens a range. An answer that tells of another file is asked for again, and counts when each one says so. The wish's
 * `timeout` limits all of them together.
 *
 * @throws as Source.open, the last one's failure
 */
export async function openBeyondDoubt(
  source: Pick<Source, 'open'>,
  wish: Wish,
  doubtful = DOUBTFUL,
): Promise<OpenedRange> {
  const until = performance.now() + wish.timeout;
  for (let requests = 1; ; requests++) {
    try {
      return await source.open({ ...wish, timeout: Math.max(1, until - performance.now()) });
    } catch (error) {
      const isDoubtful = error instanceof SourceFailure && doubtful.has(error.kind);
      if (!isDoubtful || requests === REQUESTS) throw error;
    }
    await pause(BETWEEN, wish.signal);
  }
}

/** A source of which each range is opened so. */
export class BeyondDoubt implements Source {
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  get where(): string {
    return this.#source.where;
  }

  get who(): string {
    return this.#source.who;
  }

  get serving(): Serving | undefined {
    return this.#source.serving;
  }

  get validators(): Validators | undefined {
    return this.#source.validators;
  }

  open(wish: Wish): Promise<OpenedRange> {
    return openBeyondDoubt(this.#source, wish);
  }
}
