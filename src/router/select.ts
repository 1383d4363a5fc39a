import type { Progress } from '../host/port.ts';
import { deadlineSignal, pause, unlessAborted } from '../io/wait.ts';
import {
  filmKey,
  isReleaseOf,
  type LeftFilm,
  type PlayedRelease,
  packKey,
  preferredNext,
  resumePoints,
} from '../library/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { type Preferences, preferencesOf, readPreferenceLists } from '../release/index.ts';
import type { Choice, Choices } from '../resolver.ts';
import type { Router } from '../router.ts';
import { type CachedSearch, openRests, refusedSource, statusLine } from '../search/index.ts';
import { openSustainedRate, type Settings } from '../settings/index.ts';
import { type Judge, openJudge } from './judge.ts';
import { emptyReason, type Listing, listingOf } from './listing.ts';
import { successorsOf } from './next-choice.ts';
import type { PlayContext } from './play.ts';
import type { Shelf } from './shelf.ts';

/** What is to be played, and what instead when that fails. It has to be closed. */
export interface Selection extends Choices {
  /** What comes first. */
  readonly chosen: Release;
  /** What would come next, as far as it is known now. */
  upcoming(): readonly Release[];
  /** As it was given, with what was looked up. */
  readonly request: MediaRequest;
  /** Other posts of a release whose NZBs could be had; known of the chosen one only. */
  twins(of: Release): readonly Release[];
  /** Nothing has been searched for so far. */
  readonly unsearched?: true | undefined;
  /** What was found leads nowhere: the next play searches anew. */
  forget(): Promise<void>;
  /** Ends the search, which goes on for what comes instead. */
  close(): Promise<void>;
}

export interface SelectContext extends PlayContext {
  readonly settings: Settings;
  readonly shelf: Shelf;
  /** Do not ask. */
  readonly automatic: boolean;
  /** What was played before it in its playlist, which it should be like; absent: the person started it. */
  readonly after?: PlayedRelease | undefined;
  /** The release that played before (Recall.release), which comes first; absent or empty: none did. */
  readonly again?: string | undefined;
}

/**
 * Request → the releases to be played: what the request lacks is looked up, all sources are asked at once, and the
 * person chooses while the last ones still answer.
 *
 * @throws NOT_CONFIGURED, NO_RESULTS, ALL_FILTERED; a source's failure when all failed; CancelledError
 */
export async function select(
  given: MediaRequest,
  context: SelectContext,
  stages: Router,
): Promise<Selection> {
  const { settings, host, progress, signal, log, after } = context;
  const folder = host.dataFolder;
  const { sources, secrets, patience } = await stages.searchSources(settings, folder, log);
  await progress.update({ stage: `Searching ${sources.map(({ name }) => name).join(', ')}` });
  const { request, preferences, judge } = await lookUp(given, context, stages);
  const offered = packOffered(context.shelf, judge);
  let found: () => readonly Release[] = () => [];
  const search = await stages.search(request, sources, {
    ...{ signal, log, folder, secrets },
    rests: openRests({ folder, log }),
    // Beside a pack that is there, a season would cost a query of every source for nothing; what a playlist goes on with
    // may be like another one.
    packs: settings.search_packs && (after !== undefined || !(await isSoon(offered, signal))),
    isGood: (release) => judge.passes(release, found) && !hasFailed(context.shelf)(release),
    patience: { perSource: patience },
    cacheAge: settings.cache_minutes * 60_000,
  });
  found = () => search.state.releases;
  try {
    const sustained = (await openSustainedRate(folder).read())?.bitsPerSecond;
    // Whoever is not asked takes nothing up where it was left.
    const watched =
      context.after === undefined && !context.automatic
        ? await resumePoints({ folder, log }).last(filmKey(given, request))
        : undefined;
    const about = { request, preferences, shelf: context.shelf, sustained, watched };
    const list = listingOf(search, judge, about, stages);
    const chosen = await chooseFrom(list, search, request, { ...context, offered, watched }, stages);
    return {
      ...{ request, chosen },
      ...choicesFrom(chosen, list, context),
      forget: () => search.forget(),
      close: () => search.close(),
    };
  } catch (error) {
    await search.close();
    throw error;
  }
}

/** What the request lacks, and the person's filters for it. */
export async function lookUp(
  given: MediaRequest,
  { settings, host, signal, log }: Pick<SelectContext, 'settings' | 'host' | 'signal' | 'log'>,
  stages: Pick<Router, 'completeRequest' | 'filterReleases'>,
): Promise<{ readonly request: MediaRequest; readonly preferences: Preferences; readonly judge: Judge }> {
  const folder = host.dataFolder;
  const services = {
    ...{ tmdbKey: settings.tmdb_api_key, folder, log },
    ...(host.focusedItem !== undefined && { focused: host.focusedItem }),
  };
  const request = await stages.completeRequest(given, services, signal);
  const preferences = preferencesOf(settings, await readPreferenceLists(folder, log));
  return { request, preferences, judge: openJudge(request, preferences, log, stages) };
}

/** Resolves with whether the backend holds a season pack that passes the filters, once it has answered. */
async function packOffered(shelf: Shelf, judge: Judge): Promise<boolean> {
  if (shelf.packs.length === 0) return false;
  await shelf.asked;
  const there = shelf.packs
    .map(({ release }) => release)
    .filter((release) => shelf.there(release) !== undefined && !hasFailed(shelf)(release));
  return there.some((release) => judge.passes(release, () => there));
}

/** Milliseconds: the backend was asked before the search, and mostly has answered by now. */
const SOON = 1_000;

/** False also where nobody knows in time. */
async function isSoon(answer: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const limit = deadlineSignal(signal, SOON, () => new Error('the search does not wait any longer'));
  const isIt = await unlessAborted(answer, limit.signal).catch(() => false);
  limit.done();
  signal.throwIfAborted();
  return isIt;
}

async function chooseFrom(
  list: Listing,
  search: CachedSearch,
  request: MediaRequest,
  context: SelectContext & { readonly offered: Promise<boolean>; readonly watched: LeftFilm | undefined },
  stages: Router,
): Promise<Release> {
  const { settings, shelf, automatic, after, again = '', host, progress, signal, offered, watched } = context;
  const early = { deadline: settings.search_deadline * 1000, offered };
  await enoughToShow(search, progress, signal, automatic ? undefined : early);
  // What is there already may be the best of all; nobody can change that choice afterwards.
  if (automatic) await untilAsked(shelf, progress, signal);
  const nothing = shelf.packs.length > 0 ? undefined : emptyReason(search, request, automatic);
  if (nothing !== undefined) throw nothing;
  // The others have found something, but this one will not get better by itself.
  const refused = refusedSource(search.state);
  if (refused !== undefined) await host.notify(refused.failure.explanation);
  return await stages.choose(list, request, {
    ...{ host, automatic, signal },
    ...(again !== '' && { wanted: (release) => isReleaseOf(again, release) }),
    best: (candidates) =>
      preferredNext(
        candidates.filter(({ release }) => list.isSure(release)),
        after,
        shelf.packs,
      ),
    explain: list.explain,
    downloaded: (release) => shelf.there(release) !== undefined,
    failedAt: shelf.broken.failedAt,
    leftAt: (release) => (watched?.isOf(release) === true ? watched.position : undefined),
  });
}

/** Waits until the backend has told what it holds, and says so. */
async function untilAsked(shelf: Shelf, progress: Progress, signal: AbortSignal): Promise<void> {
  if (!shelf.isAsked) await progress.update({ stage: `Asking ${shelf.backend} what it has` });
  await unlessAborted(shelf.asked, signal);
}

const hasFailed = (shelf: Shelf) => (release: Release) => shelf.broken.failedAt(release) !== undefined;

/** The chosen one, then its successors; when those are used up, what the sources still find. */
function choicesFrom(
  chosen: Release,
  list: Listing,
  { shelf, progress, signal }: Pick<SelectContext, 'shelf' | 'progress' | 'signal'>,
): Pick<Selection, 'next' | 'upcoming' | 'twins'> {
  const successors = successorsOf(chosen, list.isSure, hasFailed(shelf));
  const choiceOf = (release: Release | undefined) =>
    release === undefined ? Promise.resolve(undefined) : shelvedChoice(release, { shelf, progress, signal });
  let isFirst = true;
  return {
    upcoming: () => successors.left(list.current.candidates).filter(isFound),
    twins: (of) =>
      of === chosen ? successors.twins(list.current.candidates).filter(isFound).filter(isNzb) : [],
    next: async () => {
      if (isFirst) {
        isFirst = false;
        return choiceOf(chosen);
      }
      const next = successors.next(list.current.candidates);
      if (next !== undefined) return choiceOf(next);
      await lastSources(list, progress, signal);
      const { candidates } = list.current;
      return choiceOf(successors.next(candidates) ?? successors.nextFailed(candidates));
    },
  };
}

/** Waits until every source has answered, and shows for whom: it may take as long as the slowest. */
async function lastSources(list: Listing, progress: Progress, signal: AbortSignal): Promise<void> {
  const show = () => {
    if (list.current.searching)
      progress
        .update({ stage: 'Waiting for more releases', detail: list.current.status })
        .catch(() => undefined);
  };
  show();
  const stop = list.onChange(show);
  try {
    await unlessAborted(list.finished, signal);
  } finally {
    stop();
  }
}

/** Not remembered, but found by this search: it leads to something that can be had. */
const isFound = (release: Release) => packKey(release) === undefined;
const isNzb = ({ links }: Release) => links.some(({ plays }) => plays !== true);

/** A release with the job that holds it. The backend's answer is awaited: a download takes longer by far. */
export async function shelvedChoice(
  release: Release,
  { shelf, progress, signal }: Pick<SelectContext, 'shelf' | 'progress' | 'signal'>,
): Promise<Choice> {
  const isPack = packKey(release) !== undefined;
  await untilAsked(shelf, progress, signal);
  const there = shelf.there(release);
  return {
    release,
    ...(there !== undefined && { there }),
    ...(isPack && { wrong: () => shelf.wrong(release) }),
  };
}

/**
 * Waits until the list may be shown, and shows how far the search is. For a person, who sees in the list that more may
 * come, a season pack that is there (`offered`) is enough, and after `deadline` milliseconds whatever was found.
 */
async function enoughToShow(
  search: CachedSearch,
  progress: Progress,
  signal: AbortSignal,
  early: { readonly deadline: number; readonly offered: Promise<boolean> } | undefined,
): Promise<void> {
  const stop = search.onChange((state) => {
    const found = `${state.releases.length} found`;
    // A display that cannot be brought up to date is no reason to end the search.
    progress
      .update({ stage: 'Searching', detail: [found, statusLine(state)].filter(Boolean).join(' · ') })
      .catch(() => undefined);
  });
  const waiting = new AbortController();
  try {
    if (early === undefined) {
      await search.enough;
      return;
    }
    const offer = early.offered.then((isOffered) => (isOffered ? undefined : search.enough));
    const late = pause(early.deadline, AbortSignal.any([signal, waiting.signal]));
    const isLate = await Promise.race([
      late.then(() => true),
      ...[search.enough, offer].map((done) => done.then(() => false)),
    ]);
    const { releases, setAside } = search.state;
    if (isLate && releases.length === 0 && setAside.length === 0) await Promise.race([search.enough, offer]);
  } finally {
    stop();
    waiting.abort(new Error('no longer waited for'));
  }
}
