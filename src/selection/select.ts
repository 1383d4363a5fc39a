import { deadlineSignal, unlessAborted } from '../io/wait.ts';
import {
  filmKey,
  isReleaseOf,
  type LastResumePoint,
  openResumePoints,
  openThroughputStore,
  preferredCandidate,
} from '../library/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { type Preferences, preferencesOf, readPreferenceLists } from '../release/index.ts';
import { type CachedSearch, openCooldowns, sourceWithRefusedKey } from '../search/index.ts';
import { CandidateList, emptyReason } from './candidate-list.ts';
import { ListedChoices } from './choices.ts';
import type { ChooseOptions } from './choose-options.ts';
import type { Inventory } from './inventory.ts';
import { ReleaseFilter } from './release-filter.ts';
import type { SelectContext, Selection } from './selection.ts';
import type { SearchStages } from './stages.ts';
import { untilAnswered, untilEnoughToShow } from './wait.ts';

/**
 * Request → the releases to be played: what the request lacks is looked up, all sources are asked at once, and the
 * person chooses while the last ones still answer.
 *
 * @throws NOT_CONFIGURED, NO_RESULTS, ALL_FILTERED; a source's failure when all failed; CancelledError
 */
export async function select(
  given: MediaRequest,
  context: SelectContext,
  stages: SearchStages,
): Promise<Selection> {
  const { settings, host, progress, signal, log, previous: after } = context;
  const folder = host.dataFolder;
  const { sources, secrets, timeouts: patience } = await stages.searchSources(settings, folder, log);
  await progress.update({ stage: `Searching ${sources.map(({ name }) => name).join(', ')}` });
  const { request, preferences, filter } = await completeAndFilter(given, context, stages);
  const hasPack = hasMatchingPack(context.inventory, filter);
  let found: () => readonly Release[] = () => [];
  const search = await stages.search(request, sources, {
    signal,
    log,
    folder,
    secrets,
    cooldowns: openCooldowns({ folder, log }),
    // Beside a pack that is there, a season would cost a query of every source for nothing; what a playlist goes on with
    // may be like another one.
    packs: settings.search_packs && (after !== undefined || !(await isTrueSoon(hasPack, signal))),
    isGood: (release) => filter.passes(release, found) && !hasFailed(context.inventory)(release),
    timeouts: { perSource: patience },
    cacheAge: settings.cache_minutes * 60_000,
  });
  found = () => search.state.releases;
  try {
    const sustained = (await openThroughputStore(folder).read())?.bitsPerSecond;
    // Whoever is not asked takes nothing up where it was left.
    const watched =
      context.previous === undefined && !context.automatic
        ? await openResumePoints({ folder, log }).latest(filmKey(given, request))
        : undefined;
    const about = { request, preferences, inventory: context.inventory, sustained, watched };
    const list = new CandidateList(search, filter, about, stages);
    const chosen = await chooseFrom(list, search, request, { ...context, offered: hasPack, watched }, stages);
    const choices = new ListedChoices(chosen, list, context);
    return {
      request,
      chosen,
      next: () => choices.next(),
      upcoming: () => choices.upcoming(),
      reposts: (of) => choices.reposts(of),
      forget: () => search.forget(),
      close: () => search.close(),
    };
  } catch (error) {
    await search.close();
    throw error;
  }
}

/** What the request lacks, and the person's filters for it. */
export async function completeAndFilter(
  given: MediaRequest,
  { settings, host, signal, log }: Pick<SelectContext, 'settings' | 'host' | 'signal' | 'log'>,
  stages: Pick<SearchStages, 'addMetadata' | 'filterReleases'>,
): Promise<{
  readonly request: MediaRequest;
  readonly preferences: Preferences;
  readonly filter: ReleaseFilter;
}> {
  const folder = host.dataFolder;
  const services = {
    tmdbKey: settings.tmdb_api_key,
    folder,
    log,
    ...(host.focusedItem !== undefined && { focused: host.focusedItem }),
  };
  const request = await stages.addMetadata(given, services, signal);
  const preferences = preferencesOf(settings, await readPreferenceLists(folder, log));
  return { request, preferences, filter: new ReleaseFilter(request, preferences, log, stages) };
}

/** Resolves with whether the backend holds a season pack that passes the filters, once it has answered. */
async function hasMatchingPack(inventory: Inventory, filter: ReleaseFilter): Promise<boolean> {
  if (inventory.packs.length === 0) return false;
  await inventory.answered;
  const heldPacks = inventory.packs
    .map(({ release }) => release)
    .filter((release) => inventory.existingJob(release) !== undefined && !hasFailed(inventory)(release));
  return heldPacks.some((release) => filter.passes(release, () => heldPacks));
}

/** Milliseconds: the backend was asked before the search, and mostly has answered by now. */
const PACK_WAIT_MS = 1_000;

/** False also where nobody knows in time. */
async function isTrueSoon(answer: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const limit = deadlineSignal(signal, PACK_WAIT_MS, () => new Error('the search does not wait any longer'));
  const isTrue = await unlessAborted(answer, limit.signal).catch(() => false);
  limit.done();
  signal.throwIfAborted();
  return isTrue;
}

async function chooseFrom(
  list: CandidateList,
  search: CachedSearch,
  request: MediaRequest,
  context: SelectContext & {
    readonly offered: Promise<boolean>;
    readonly watched: LastResumePoint | undefined;
  },
  stages: SearchStages,
): Promise<Release> {
  const {
    settings,
    inventory,
    automatic,
    previous: after,
    replayedRelease: again = '',
    host,
    progress,
    signal,
    offered,
    watched,
  } = context;
  const early = { deadline: settings.search_deadline * 1000, offered };
  await untilEnoughToShow(search, progress, signal, automatic ? undefined : early);
  // What is there already may be the best of all; nobody can change that choice afterwards.
  if (automatic) await untilAnswered(inventory, progress, signal);
  const nothing = inventory.packs.length > 0 ? undefined : emptyReason(search, request, automatic);
  if (nothing !== undefined) throw nothing;
  // The others have found something, but this one will not get better by itself.
  const refused = sourceWithRefusedKey(search.state);
  if (refused !== undefined) await host.notify(refused.failure.explanation);
  const options: ChooseOptions = {
    host,
    automatic,
    signal,
    ...(again !== '' && { isWanted: (release) => isReleaseOf(again, release) }),
    pickBest: (candidates) =>
      preferredCandidate(
        candidates.filter(({ release }) => list.isSure(release)),
        after,
        inventory.packs,
      ),
    explain: (candidate) => list.explain(candidate),
    downloaded: (release) => inventory.existingJob(release) !== undefined,
    failedAt: inventory.broken.failedAt,
    leftAt: (release) => (watched?.isOf(release) === true ? watched.position : undefined),
  };
  return await stages.choose(list, request, options, stages);
}

const hasFailed = (inventory: Inventory) => (release: Release) =>
  inventory.broken.failedAt(release) !== undefined;
