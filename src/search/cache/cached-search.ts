import type { MediaRequest, Posting } from '../../model/index.ts';
import { loadReleaseNameParser } from '../../release/index.ts';
import { mismatchCheck } from '../match/match.ts';
import { openNameReader } from '../match/name-reader.ts';
import type { SearchOptions } from '../run/search-options.ts';
import {
  type EarlierResults,
  isUpToDate,
  type RejectedRelease,
  type SearchState,
} from '../run/search-state.ts';
import { type RunningSearch, startSearch } from '../run/start-search.ts';
import { isManager, type SearchSource, type SourceManager } from '../sources/source.ts';
import type { SourceSecrets } from './masked-links.ts';
import { type CachedResults, openSearchCache, type SearchCache, type SearchKey } from './search-cache.ts';

export interface CachedSearchOptions extends SearchOptions {
  /** Folder for what was found. */
  readonly folder: string;
  readonly secrets: SourceSecrets;
  /** Milliseconds; 0 asks the sources always. */
  readonly cacheAge?: number;
}

export interface CachedSearch extends RunningSearch {
  /** Milliseconds since the sources were asked; undefined when they are all asked now. */
  readonly age: number | undefined;
  /** Keeps nothing of it, whatever it still finds: the next search of the kind asks anew. Never fails. */
  forget(): Promise<void>;
}

/**
 * What was found not long ago for the same request at the same sources, at once and checked anew: who was missing then is
 * asked again, unless that is useless, and so is who lists what must not be kept. Else a search. Its outcome is kept when it has ended by itself.
 *
 * @throws the signal's reason when it aborts
 */
export async function cachedSearch(
  request: MediaRequest,
  sources: readonly (SearchSource | SourceManager)[],
  options: CachedSearchOptions,
): Promise<CachedSearch> {
  const { folder, log, secrets, cacheAge, packs = false, signal } = options;
  const withSecretLinks = sources.filter((source) => !isManager(source) && source.hasSecretLinks);
  const uncacheable = new Set(withSecretLinks.map(({ id }) => id));
  const cache = openSearchCache({
    folder,
    log,
    secrets,
    uncacheable,
    ...(cacheAge !== undefined && { maxAge: cacheAge }),
  });
  const key: SearchKey = { request, sources: sources.map(({ id }) => id), packs };
  const cached = cacheAge === 0 ? undefined : await cache.read(key);
  signal.throwIfAborted();
  if (cached === undefined) return cacheWhenFinished(startSearch(request, sources, options), cache, key);
  const age = Date.now() - cached.searched;
  if (isComplete(cached))
    return finishedSearch(await stateFromCache(request, cached, options), age, () => cache.forget(key));
  return cacheWhenFinished(
    startSearch(request, sources, { ...options, earlierResults: earlierResultsOf(cached) }),
    cache,
    key,
    age,
  );
}

/** Whether it would bring nothing to ask anybody again. */
function isComplete({ sources }: CachedResults): boolean {
  const now = Date.now();
  return sources.every((source) => isUpToDate(source, now));
}

function earlierResultsOf({ releases, sources, searched, lost }: CachedResults): EarlierResults {
  const postings = releases.flatMap(({ links, ...post }) =>
    links.map((link): Posting => ({ ...post, link })),
  );
  return { postings, sources, earlier: { searched, lost } };
}

/** Keeps what the search has found when it has ended; of one that was broken off, nobody knows what is missing. */
function cacheWhenFinished(
  search: RunningSearch,
  cache: SearchCache,
  key: SearchKey,
  age?: number,
): CachedSearch {
  let isGood = true;
  let writing = Promise.resolve();
  const kept = search.finished.then(
    async () => {
      // Nothing found is nothing to go back to.
      if (isGood && search.state.releases.length > 0) writing = cache.write(key, search.state);
      await writing;
    },
    () => undefined,
  );
  return {
    age,
    get state() {
      return search.state;
    },
    onChange: search.onChange,
    ready: search.ready,
    finished: search.finished,
    forget: async () => {
      isGood = false;
      await writing;
      await cache.forget(key);
    },
    close: async () => {
      await search.close();
      await kept;
    },
  };
}

async function stateFromCache(
  request: MediaRequest,
  { releases, sources, searched, lost }: CachedResults,
  { loadParser = loadReleaseNameParser, signal }: CachedSearchOptions,
): Promise<SearchState> {
  const names = openNameReader(loadParser);
  await names.read(
    releases.map(({ name }) => name),
    signal,
  );
  const check = mismatchCheck(request);
  const judged = releases.map((each) => {
    const release = { ...each, quality: names.qualityOf(each.name) };
    return { release, reason: check(release) };
  });
  return {
    releases: judged.filter(({ reason }) => reason === undefined).map(({ release }) => release),
    rejected: judged.filter((each): each is RejectedRelease => each.reason !== undefined),
    sources,
    finished: true,
    earlier: { searched, lost },
  };
}

function finishedSearch(state: SearchState, age: number, forget: CachedSearch['forget']): CachedSearch {
  return {
    age,
    state,
    forget,
    onChange: () => () => undefined,
    ready: Promise.resolve(),
    finished: Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
