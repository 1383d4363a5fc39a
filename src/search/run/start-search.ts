import { setMaxListeners } from 'node:events';
import { deferred } from '../../io/deferred.ts';
import { pause } from '../../io/wait.ts';
import type { MediaRequest, Release } from '../../model/index.ts';
import { loadReleaseNameParser } from '../../release/index.ts';
import { openNameReader } from '../match/name-reader.ts';
import { isManager, type SearchSource, type SourceManager } from '../sources/source.ts';
import { liftIfAllCooling } from './cooldown.ts';
import type { SearchOptions } from './search-options.ts';
import { openSearchProgress } from './search-progress.ts';
import { type EarlierResults, isUpToDate, type SearchState } from './search-state.ts';
import { timeoutsOf } from './timeouts.ts';
import { type SearchRun, trackSource } from './track-source.ts';

/** A search under way. It has to be closed, also when it has finished. */
export interface RunningSearch {
  /** As it is now; a new object after each change. */
  readonly state: SearchState;
  /** Calls the listener after changes, once in a turn of the event loop. Gives what ends that. */
  readonly onChange: (listener: (state: SearchState) => void) => () => void;
  /** Resolves when the list may be shown, also when it is empty. */
  readonly ready: Promise<void>;
  /** Resolves when nothing more will come. */
  readonly finished: Promise<void>;
  /** Ends what is still under way and waits for that; both promises then resolve. */
  close(): Promise<void>;
}

/** Asks all sources at once, and keeps what they find up to date until the last has answered or its time is over. */
export function startSearch(
  request: MediaRequest,
  sources: readonly (SearchSource | SourceManager)[],
  given: SearchOptions,
): RunningSearch {
  const ids = sources.map(({ id }) => id);
  const options = { ...given, cooldowns: liftIfAllCooling(given.cooldowns, ids) };
  const patience = timeoutsOf(options.timeouts);
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  // Each source that is asked, or waits for its turn, listens; Node.js would warn of a leak.
  setMaxListeners(0, signal);
  const names = openNameReader(options.loadParser ?? loadReleaseNameParser);
  const { log, earlierResults: known } = options;
  const board = openSearchProgress({
    request,
    sources,
    qualityOf: names.qualityOf,
    log,
    ...(known && { earlierResults: known }),
  });
  const places = new Set(sources.flatMap((source) => (isManager(source) ? [] : (source.place ?? []))));
  const started = performance.now();
  const search: SearchRun = {
    request,
    options,
    timeouts: patience,
    signal,
    progress: board,
    nameReader: names,
    places,
    started,
  };
  const asked = Promise.all([
    ...sources
      .filter((source) => needsAsking(source, board.state))
      .map((source) => trackSource(source, search)),
    restoreEarlier(known, search),
  ]);
  const ready = waitUntilReady(search, asked);

  const unlessAborted = async (promise: Promise<unknown>) => {
    await promise;
    options.signal.throwIfAborted();
  };
  const finished = asked.then(() => {
    board.finish();
  });
  return {
    get state() {
      return board.state;
    },
    onChange: board.onChange,
    ready: ignoreUnhandled(unlessAborted(ready)),
    finished: ignoreUnhandled(unlessAborted(finished)),
    close: async () => {
      closing.abort(new Error('closed'));
      await finished;
    },
  };
}

/** Whether asking it, or some of those behind it, could bring more than is known. */
function needsAsking({ id }: SearchSource | SourceManager, { sources }: SearchState): boolean {
  const now = Date.now();
  return sources.some((status) => (status.manager?.id ?? status.id) === id && !isUpToDate(status, now));
}

async function restoreEarlier(
  known: EarlierResults | undefined,
  { progress: board, nameReader: names, signal }: SearchRun,
): Promise<void> {
  if (known === undefined) return;
  const { postings } = known;
  await names
    .read(
      postings.map(({ name }) => name),
      signal,
    )
    .then(
      () => {
        board.restore(postings);
      },
      // The search has been given up.
      () => undefined,
    );
}

/** A rejection that nobody waits for is no crash. */
function ignoreUnhandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * When the list may be shown: all have answered; or there are enough good releases, and then the grace is over; or
 * there are few, and then the longer grace is. Nothing good is no list: that waits for everybody.
 */
async function waitUntilReady(search: SearchRun, asked: Promise<unknown>): Promise<void> {
  const { timeouts: patience, progress: board, signal, options } = search;
  const isGood = memoize(options.isGood ?? (() => true));
  const graceOver = deferred<undefined>();
  const done = new AbortController();
  const startedGraces = new Set<number>();
  const startGrace = (ms: number) => {
    if (startedGraces.has(ms)) return;
    startedGraces.add(ms);
    pause(ms, AbortSignal.any([signal, done.signal])).then(
      () => {
        graceOver.resolve(undefined);
      },
      () => undefined,
    );
  };
  const stop = board.onChange(({ releases }) => {
    const good = releases.filter(isGood).length;
    if (good > 0) startGrace(patience.graceForFew);
    if (good >= patience.enoughReleases) startGrace(patience.grace);
  });
  try {
    await Promise.race([graceOver.promise, asked]);
  } finally {
    stop();
    done.abort();
  }
}

/** A release is a new object when another post joins it, and is then another one to judge. */
function memoize(judge: (release: Release) => boolean): (release: Release) => boolean {
  const judged = new WeakMap<Release, boolean>();
  return (release) => {
    const known = judged.get(release) ?? judge(release);
    judged.set(release, known);
    return known;
  };
}
