import type { Progress } from '../host/port.ts';
import { pause } from '../io/wait.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { preferencesOf } from '../release/index.ts';
import type { Router } from '../router.ts';
import { type CachedSearch, openRests, refusedSource, statusLine } from '../search/index.ts';
import type { Settings } from '../settings/index.ts';
import { openJudge } from './judge.ts';
import { emptyReason, listingOf } from './listing.ts';
import type { PlayContext } from './play.ts';
import { readPreferenceLists } from './preference-lists.ts';

/**
 * Request → the release that is to be played: what the request lacks is looked up, all sources are asked at once, and
 * the person chooses while the last ones still answer.
 *
 * @throws NOT_CONFIGURED, NO_RESULTS, ALL_FILTERED; a source's failure when all failed; CancelledError
 */
export async function findRelease(
  given: MediaRequest,
  settings: Settings,
  { host, progress, signal, log }: PlayContext,
  stages: Router,
): Promise<Release> {
  const folder = host.dataFolder;
  const { sources, secrets, patience } = await stages.searchSources(settings, folder, log);
  await progress.update({ stage: `Searching ${sources.map(({ name }) => name).join(', ')}` });
  const services = { tmdbKey: settings.tmdb_api_key, folder, log };
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
    const deadline = settings.auto_select ? undefined : settings.search_deadline * 1000;
    await enoughToShow(search, progress, signal, deadline);
    const nothing = emptyReason(search, request, settings.auto_select);
    if (nothing !== undefined) throw nothing;
    // The others have found something, but this one will not get better by itself.
    const refused = refusedSource(search.state);
    if (refused !== undefined) await host.notify(refused.failure.explanation);
    const list = listingOf(search, judge, { request, preferences }, stages);
    const options = { host, automatic: settings.auto_select, signal, explain: list.explain };
    return await stages.choose(list, request, options);
  } finally {
    await search.close();
  }
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
