import { pause } from '../../io/wait.ts';
import type { ByteSource, OpenedRange, RangeRequest } from './source.ts';

export interface HedgeOptions {
  /** Milliseconds until the head counts as late. */
  readonly after: number;
  /** Called when the second request is made. */
  readonly onHedge: () => void;
}

/**
 * Opens a range; when its head is late, by a second request beside the first. Whichever answers first is kept: a server
 * that is slow is still at work on the first, while one that has lost it never answers. A first one that fails early is
 * left to the caller. The wish's `timeout` limits both together.
 *
 * @throws as Source.open, the first one's failure when both fail
 */
export async function openHedged(
  source: ByteSource,
  wish: RangeRequest,
  late: HedgeOptions,
): Promise<OpenedRange> {
  if (late.after >= wish.timeout) return await source.open(wish);
  const since = performance.now();
  const first = attempt(source, wish);
  const isLate = new AbortController();
  const waiting = pause(late.after, AbortSignal.any([wish.signal, isLate.signal]));
  try {
    const early = await Promise.race([first.opened, waiting]);
    if (early !== undefined) return early;
  } catch (error) {
    first.drop();
    throw error;
  } finally {
    isLate.abort(SUPERSEDED);
    waiting.catch(() => undefined);
  }
  late.onHedge();
  const left = Math.max(1, wish.timeout - (performance.now() - since));
  return await firstOf(first, attempt(source, { ...wish, timeout: left }));
}

interface Attempt {
  readonly opened: Promise<OpenedRange>;
  /** Ends it with its connection, whether it has been answered or not. */
  drop(): void;
}

function attempt(source: ByteSource, wish: RangeRequest): Attempt {
  const ending = new AbortController();
  const opened = source.open({ ...wish, signal: AbortSignal.any([wish.signal, ending.signal]) });
  return {
    opened,
    drop: () => {
      ending.abort(SUPERSEDED);
      opened.then(
        ({ body }) => {
          body.close();
        },
        () => undefined,
      );
    },
  };
}

async function firstOf(first: Attempt, second: Attempt): Promise<OpenedRange> {
  const tagged = [first, second].map(async (each) => ({ each, opened: await each.opened }));
  try {
    const { each, opened } = await Promise.any(tagged);
    (each === first ? second : first).drop();
    return opened;
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

const SUPERSEDED = new Error('another request has been answered');
