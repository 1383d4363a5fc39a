import { deferred } from '../io/deferred.ts';
import { deadlineSignal, unlessAborted } from '../io/wait.ts';

/**
 * The sources behind one manager. It would ask them all with one query, and with another one only where nothing of the
 * first fits; so each of them asks further only while nothing of any of them does.
 */
export interface Group {
  /** It has had its first answer, or will have none. */
  begun(sourceId: string): void;
  /** Something that fits was found. */
  found(): void;
  /** One of them has answered a query by id. */
  knowsIds(): void;
  /** Whether any has. */
  readonly hasIds: boolean;
  /**
   * Whether anything was found, as soon as that is so, or once each has begun; slow ones are waited for no longer than
   * LONGEST_WAIT in all, from the first wait on. Rejects with the signal's reason when it aborts.
   */
  hasFound(signal: AbortSignal): Promise<boolean>;
}

/** Milliseconds. */
const LONGEST_WAIT = 4_000;

/** @param sourceIds all that are to be asked */
export function openGroup(sourceIds: Iterable<string>, longestWait = LONGEST_WAIT): Group {
  const beginning = new Set(sourceIds);
  const finding = deferred<undefined>();
  let isFound = false;
  /** On the clock of performance.now(); undefined: nobody has waited yet. */
  let end: number | undefined;
  let hasIds = false;
  const allBegun = deferred<undefined>();
  return {
    begun: (id) => {
      beginning.delete(id);
      if (beginning.size === 0) allBegun.resolve(undefined);
    },
    knowsIds: () => {
      hasIds = true;
    },
    get hasIds() {
      return hasIds;
    },
    found: () => {
      isFound = true;
      finding.resolve(undefined);
    },
    hasFound: async (signal) => {
      if (isFound || beginning.size === 0) return isFound;
      const left = (end ??= performance.now() + longestWait) - performance.now();
      if (left <= 0) return isFound;
      const over = new Error('the slow ones are not waited for');
      const limit = deadlineSignal(signal, left, () => over);
      try {
        await unlessAborted(Promise.race([finding.promise, allBegun.promise]), limit.signal);
      } catch (error) {
        if (error !== over) throw error;
        // A timer may fire a little early; nobody waits for what is left.
        end = 0;
      } finally {
        limit.done();
      }
      return isFound;
    },
  };
}
