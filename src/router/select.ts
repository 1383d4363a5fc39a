import type { Progress } from '../host/port.ts';
import { pause, unlessAborted } from '../io/wait.ts';
import { type PlayedRelease, packKey, preferredNext } from '../library/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { preferencesOf, readPreferenceLists } from '../release/index.ts';
import type { Choice, Choices } from '../resolver.ts';
import type { Router } from '../router.ts';
import { type CachedSearch, openRests, refusedSource, statusLine } from '../search/index.ts';
import { openSustainedRate, type Settings } from '../settings/index.ts';
import { openJudge } from './judge.ts';
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
  const { settings, host, progress, signal, log } = context;
  const folder = host.dataFolder;
  const { sources, secrets, patience } = await stages.searchSources(settings, folder, log);
  await progress.update({ stage: `Searching ${sources.map(({ name }) => name).join(', ')}` });
  const services = {
    ...{ tmdbKey: settings.tmdb_api_key, folder, log },
    ...(host.focusedItem !== undefined && { focused: host.focusedItem }),
  };
  const request = await stages.completeRequest(given, services, signal);
  const preferences = preferencesOf(settings, await readPreferenceLists(folder, log));
  const judge = openJudge(request, preferences, log, stages);
  let found: () => readonly Release[] = () => [];
  const search = await stages.search(request, sources, {
    ...{ signal, log, folder, secrets },
    rests: openRests({ folder, log }),
    packs: settings.search_packs,
    isGood: (release) => judge.passes(release, found),
    patience: { perSource: patience },
    cacheAge: settings.cache_minutes * 60_000,
  });
  found = () => search.state.releases;
  try {
    const sustained = (await openSustainedRate(folder).read())?.bitsPerSecond;
    const about = { request, preferences, shelf: context.shelf, sustained };
    const list = listingOf(search, judge, about, stages);
    const chosen = await chooseFrom(list, search, request, context, stages);
    return {
      ...{ request, chosen },
      ...choicesFrom(chosen, list, context),
      close: () => search.close(),
    };
  } catch (error) {
    await search.close();
    throw error;
  }
}

async function chooseFrom(
  list: Listing,
  search: CachedSearch,
  request: MediaRequest,
  { settings, shelf, automatic, after, host, progress, signal }: SelectContext,
  stages: Router,
): Promise<Release> {
  await enoughToShow(search, progress, signal, automatic ? undefined : settings.search_deadline * 1000);
  // What is there already may be the best of all; nobody can change that choice afterwards.
  if (automatic) await unlessAborted(shelf.asked, signal);
  const nothing = shelf.packs.length > 0 ? undefined : emptyReason(search, request, automatic);
  if (nothing !== undefined) throw nothing;
  // The others have found something, but this one will not get better by itself.
  const refused = refusedSource(search.state);
  if (refused !== undefined) await host.notify(refused.failure.explanation);
  return await stages.choose(list, request, {
    ...{ host, automatic, signal },
    best: (candidates) =>
      preferredNext(
        candidates.filter(({ release }) => list.isSure(release)),
        after,
        shelf.packs,
      ),
    explain: list.explain,
    downloaded: (release) => shelf.there(release) !== undefined,
  });
}

/** The chosen one, then its successors; when those are used up, what the sources still find. */
function choicesFrom(
  chosen: Release,
  list: Listing,
  { shelf, progress, signal }: Pick<SelectContext, 'shelf' | 'progress' | 'signal'>,
): Pick<Selection, 'next' | 'upcoming' | 'twins'> {
  const successors = successorsOf(chosen, list.isSure);
  const choiceOf = (release: Release | undefined) =>
    release === undefined ? Promise.resolve(undefined) : shelvedChoice(release, shelf, signal);
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
      return choiceOf(successors.next(list.current.candidates));
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
export async function shelvedChoice(release: Release, shelf: Shelf, signal: AbortSignal): Promise<Choice> {
  const isPack = packKey(release) !== undefined;
  await unlessAborted(shelf.asked, signal);
  const there = shelf.there(release);
  return {
    release,
    ...(there !== undefined && { there }),
    ...(isPack && { wrong: () => shelf.wrong(release) }),
  };
}

/**
 * Waits until the list may be shown, and shows how far the search is. After `deadline` milliseconds whatever is there
 * is enough for a person, who sees in the list that more may come.
 */
async function enoughToShow(
  search: CachedSearch,
  progress: Progress,
  signal: AbortSignal,
  deadline: number | undefined,
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
    if (deadline === undefined) {
      await search.enough;
      return;
    }
    const late = pause(deadline, AbortSignal.any([signal, waiting.signal]));
    await Promise.race([search.enough, late]);
    const { releases, setAside } = search.state;
    if (releases.length === 0 && setAside.length === 0) await search.enough;
  } finally {
    stop();
    waiting.abort(new Error('no longer waited for'));
  }
}
