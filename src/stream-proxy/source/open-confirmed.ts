import { pause } from '../../io/wait.ts';
import type { Serving } from '../../model/index.ts';
import { type FailureKind, SourceFailure } from '../policy/failure.ts';
import type { ByteSource, OpenedRange, RangeRequest } from './source.ts';
import type { Validators } from './validators.ts';

/** What says that another file is there now: one answer may be a slip of the server's. */
export const CHANGED_FILE_KINDS: ReadonlySet<FailureKind> = new Set(['changed', 'another']);

/** Requests in all: an origin that slips in one answer of five does so in all three of 1 in 125 places. */
const MAX_REQUESTS = 3;
/** Milliseconds between two of them. */
const PAUSE = 250;

/**
 * Opens a range. An answer that tells of another file is asked for again, and counts when each one says so. The wish's
 * `timeout` limits all of them together.
 *
 * @throws as Source.open, the last one's failure
 */
export async function openConfirmed(
  source: Pick<ByteSource, 'open'>,
  wish: RangeRequest,
  doubtful = CHANGED_FILE_KINDS,
): Promise<OpenedRange> {
  const until = performance.now() + wish.timeout;
  for (let requests = 1; ; requests++) {
    try {
      return await source.open({ ...wish, timeout: Math.max(1, until - performance.now()) });
    } catch (error) {
      const isDoubtful = error instanceof SourceFailure && doubtful.has(error.kind);
      if (!isDoubtful || requests === MAX_REQUESTS) throw error;
    }
    await pause(PAUSE, wish.signal);
  }
}

/** A source of which each range is opened so. */
export class ConfirmingSource implements ByteSource {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  get host(): string {
    return this.#source.host;
  }

  get label(): string {
    return this.#source.label;
  }

  get serving(): Serving | undefined {
    return this.#source.serving;
  }

  get validators(): Validators | undefined {
    return this.#source.validators;
  }

  open(wish: RangeRequest): Promise<OpenedRange> {
    return openConfirmed(this.#source, wish);
  }
}
