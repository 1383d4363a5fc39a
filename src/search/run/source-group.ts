import { deferred } from '../../io/deferred.ts';
import { deadlineSignal, unlessAborted } from '../../io/wait.ts';

/**
 * The sources behind one manager. It would ask them all with one query, and with another one only where nothing of the
 * first fits; so each of them asks further only while nothing of any of them does.
 */
export interface SourceGroup {
  /** It has had its first answer, or will have none. */
  markStarted(sourceId: string): void;
  /** Something that fits was found. */
  markMatched(): void;
  /** One of them has answered a query by id. */
  markSupportsIds(): void;
  /** Whether any has. */
  readonly supportsIds: boolean;
  /**
   * Whether anything was found, as soon as that is so, or once each has begun; slow ones are waited for no longer than
   * LONGEST_WAIT in all, from the first wait on. Rejects with the signal's reason when it aborts.
   */
  hasMatch(signal: AbortSignal): Promise<boolean>;
}

/** Milliseconds. */
const MAX_WAIT = 4_000;

/** @param sourceIds all that are to be asked */
export function openSourceGroup(sourceIds: Iterable<string>, maxWait = MAX_WAIT): SourceGroup {
  const notStarted = new Set(sourceIds);
  const firstMatch = deferred<undefined>();
  let isMatched = false;
  /** On the clock of performance.now(); undefined: nobody has waited yet. */
  let deadline: number | undefined;
  let supportsIds = false;
  const allStarted = deferred<undefined>();
  return {
    markStarted: (id) => {
      notStarted.delete(id);
      if (notStarted.size === 0) allStarted.resolve(undefined);
    },
    markSupportsIds: () => {
      supportsIds = true;
    },
    get supportsIds() {
      return supportsIds;
    },
    markMatched: () => {
      isMatched = true;
      firstMatch.resolve(undefined);
    },
    hasMatch: async (signal) => {
      if (isMatched || notStarted.size === 0) return isMatched;
      const left = (deadline ??= performance.now() + maxWait) - performance.now();
      if (left <= 0) return isMatched;
      const timedOut = new Error('the slow ones are not waited for');
      const limit = deadlineSignal(signal, left, () => timedOut);
      try {
        await unlessAborted(Promise.race([firstMatch.promise, allStarted.promise]), limit.signal);
      } catch (error) {
        if (error !== timedOut) throw error;
        // A timer may fire a little early; nobody waits for what is left.
        deadline = 0;
      } finally {
        limit.done();
      }
      return isMatched;
    },
  };
}
