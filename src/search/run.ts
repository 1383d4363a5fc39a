import { asSlipstreamError, SlipstreamError } from '../errors/index.ts';
import { deferred } from '../io/deferred.ts';
import { deadlineSignal, pause } from '../io/wait.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { loadReleaseNameParser, type ReleaseNameParser } from '../release/index.ts';
import { askSource, RestingError } from './ask.ts';
import { type Board, openBoard } from './board.ts';
import { type Names, openNames } from './names.ts';
import { type Patience, patienceOf } from './patience.ts';
import { type Rests, unlessAllRest } from './rest.ts';
import type { Answer, SearchSource } from './source.ts';
import type { SearchState } from './state.ts';

export interface SearchOptions {
  /** Ends the search: `enough` and `finished` then reject with its reason. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly rests: Rests;
  /** What differs from the usual. */
  readonly patience?: Partial<Patience>;
  /** Whether whole seasons are wanted beside an episode. */
  readonly packs?: boolean;
  /**
   * Whether a release that fits is one that the person could want: only those count when it is asked whether there are
   * enough. All are by default. Asked once of each release.
   */
  readonly isGood?: (release: Release) => boolean;
  readonly loadParser?: () => Promise<ReleaseNameParser>;
}

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
  sources: readonly SearchSource[],
  given: SearchOptions,
): RunningSearch {
  const ids = sources.map(({ id }) => id);
  const options = { ...given, rests: unlessAllRest(given.rests, ids) };
  const patience = patienceOf(options.patience);
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const names = openNames(options.loadParser ?? loadReleaseNameParser);
  const board = openBoard({ request, sources, qualityOf: names.qualityOf, log: options.log });
  const search: Search = { request, options, patience, signal, board, names, started: performance.now() };
  const asked = Promise.all(sources.map((source) => follow(source, search)));
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

interface Search {
  readonly request: MediaRequest;
  readonly options: SearchOptions;
  readonly patience: Patience;
  /** Aborts when nobody wants the outcome any more. */
  readonly signal: AbortSignal;
  readonly board: Board;
  readonly names: Names;
  /** On the clock of performance.now(). */
  readonly started: number;
}

/** A rejection that nobody waits for is no crash. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Asks one source and keeps its status. Never rejects. */
async function follow(source: SearchSource, search: Search): Promise<void> {
  const { request, options, patience, board, names, started } = search;
  const { id, name } = source;
  const ms = Math.min(patience.perSource?.[id] ?? patience.source, patience.overall);
  const limit = deadlineSignal(search.signal, ms, () => tooSlow(name, ms));
  const partial: SlipstreamError[] = [];
  const onAnswer = async ({ postings, failures }: Answer) => {
    await names.read(
      postings.map((posting) => posting.name),
      limit.signal,
    );
    partial.push(...failures);
    board.set(id, { partial: [...partial] });
    return board.add(id, postings);
  };
  const onFailure = (failure: SlipstreamError) => {
    board.set(id, { state: 'failed', failure, ...ended() });
  };
  const ended = () => ({ took: Math.round(performance.now() - started) });
  try {
    await askSource(source, request, {
      signal: limit.signal,
      log: options.log,
      rests: options.rests,
      plan: { packs: options.packs ?? false },
      spacing: patience.spacing,
      onAsked: () => {
        board.set(id, { state: 'asked' });
      },
      onSent: names.warm,
      onFailure,
      onAnswer,
    });
    board.set(id, { state: 'answered', ...ended() });
  } catch (error) {
    if (search.signal.aborted) return;
    if (error instanceof RestingError) {
      board.set(id, { state: 'resting', rest: error.rest, ...ended() });
      return;
    }
    const failure = asSlipstreamError(error);
    options.log.warning(failure.message);
    onFailure(failure);
    const rest = await options.rests.of(id);
    if (rest !== undefined) board.set(id, { rest });
  } finally {
    limit.done();
  }
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

function tooSlow(name: string, ms: number): SlipstreamError {
  return new SlipstreamError(
    'TIMEOUT',
    {
      what: `${name} did not answer within ${Math.ceil(ms / 1000)} s.`,
      next: 'Try again, or raise the time limit for searches in the settings.',
    },
    { transient: true },
  );
}
