import { deferred } from '../io/deferred.ts';
import { deadlineSignal, unlessAborted } from '../io/wait.ts';

/**
 * The sources behind one manager. It would ask them all with one query, and with another one only where nothing of the
 * first fits; so each of them asks further only while nothing of any of them does.
 */
export interface Group {
  /** The source is being asked. */
  joined(sourceId: string): void;
  /** It has had its first answer, or will have none. */
  begun(sourceId: string): void;
  /** Something that fits was found. */
  found(): void;
  /** One of them has answered a query by id. */
  knowsIds(): void;
  /** Whether any has. */
  readonly hasIds: boolean;
  /**
   * Whether anything was found by those that are being asked, as soon as that is so, or once each has begun; a slow one
   * is waited for no longer than LONGEST_WAIT. Rejects with the signal's reason when it aborts.
   */
  hasFound(signal: AbortSignal): Promise<boolean>;
}

/** Milliseconds. */
const LONGEST_WAIT = 4_000;

export function openGroup(longestWait = LONGEST_WAIT): Group {
  const beginning = new Set<string>();
  const finding = deferred<undefined>();
  let isFound = false;
  let hasIds = false;
  let allBegun = deferred<undefined>();
  const settle = () => {
    if (beginning.size > 0) return;
    allBegun.resolve(undefined);
    allBegun = deferred();
  };
  return {
    joined: (id) => {
      beginning.add(id);
    },
    begun: (id) => {
      beginning.delete(id);
      settle();
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
      const over = new Error('the slow ones are not waited for');
      const limit = deadlineSignal(signal, longestWait, () => over);
      try {
        await unlessAborted(Promise.race([finding.promise, allBegun.promise]), limit.signal);
      } catch (error) {
        if (error !== over) throw error;
      } finally {
        limit.done();
      }
      return isFound;
    },
  };
}
