import { setMaxListeners } from 'node:events';
import { deferred } from '../io/deferred.ts';
import { pause } from '../io/wait.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { loadReleaseNameParser } from '../release/index.ts';
import { openBoard } from './board.ts';
import { follow, type Search } from './follow.ts';
import { openNames } from './names.ts';
import type { SearchOptions } from './options.ts';
import { patienceOf } from './patience.ts';
import { unlessAllRest } from './rest.ts';
import { isManager, type SearchSource, type SourceManager } from './source.ts';
import { type KnownSearch, needsNoAsking, type SearchState } from './state.ts';

/** A search under way. It has to be closed, also when it has finished. */
export interface RunningSearch {
  /** As it is now; a new object after each change. */
  readonly state: SearchState;
  /** Calls the listener after changes, once in a turn of the event loop. Gives what ends that. */
  readonly onChange: (listener: (state: SearchState) => void) => () => void;
  /** Resolves when the list may be shown, also when it is empty. */
  readonly enough: Promise<void>;
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
  const options = { ...given, rests: unlessAllRest(given.rests, ids) };
  const patience = patienceOf(options.patience);
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  // Each source that is asked, or waits for its turn, listens; Node.js would warn of a leak.
  setMaxListeners(0, signal);
  const names = openNames(options.loadParser ?? loadReleaseNameParser);
  const { log, known } = options;
  const board = openBoard({ request, sources, qualityOf: names.qualityOf, log, ...(known && { known }) });
  const places = new Set(sources.flatMap((source) => (isManager(source) ? [] : (source.place ?? []))));
  const started = performance.now();
  const search: Search = { request, options, patience, signal, board, names, places, started };
  const asked = Promise.all([
    ...sources.filter((source) => isMissing(source, board.state)).map((source) => follow(source, search)),
    restore(known, search),
  ]);
  const enough = enoughOf(search, asked);

  const unlessOver = async (promise: Promise<unknown>) => {
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
    enough: heard(unlessOver(enough)),
    finished: heard(unlessOver(finished)),
    close: async () => {
      closing.abort(new Error('closed'));
      await finished;
    },
  };
}

/** Whether asking it, or some of those behind it, could bring more than is known. */
function isMissing({ id }: SearchSource | SourceManager, { sources }: SearchState): boolean {
  const now = Date.now();
  return sources.some((status) => (status.manager?.id ?? status.id) === id && !needsNoAsking(status, now));
}

async function restore(known: KnownSearch | undefined, { board, names, signal }: Search): Promise<void> {
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
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * When the list may be shown: all have answered; or there are enough good releases, and then the grace is over; or
 * there are few, and then the longer grace is. Nothing good is no list: that waits for everybody.
 */
async function enoughOf(search: Search, asked: Promise<unknown>): Promise<void> {
  const { patience, board, signal, options } = search;
  const isGood = onceEach(options.isGood ?? (() => true));
  const shown = deferred<undefined>();
  const done = new AbortController();
  const graces = new Set<number>();
  const allow = (ms: number) => {
    if (graces.has(ms)) return;
    graces.add(ms);
    pause(ms, AbortSignal.any([signal, done.signal])).then(
      () => {
        shown.resolve(undefined);
      },
      () => undefined,
    );
  };
  const stop = board.onChange(({ releases }) => {
    const good = releases.filter(isGood).length;
    if (good > 0) allow(patience.graceForFew);
    if (good >= patience.enough) allow(patience.grace);
  });
  try {
    await Promise.race([shown.promise, asked]);
  } finally {
    stop();
    done.abort();
  }
}

/** A release is a new object when another post joins it, and is then another one to judge. */
function onceEach(judge: (release: Release) => boolean): (release: Release) => boolean {
  const judged = new WeakMap<Release, boolean>();
  return (release) => {
    const known = judged.get(release) ?? judge(release);
    judged.set(release, known);
    return known;
  };
}
