import type { MediaRequest, Posting } from '../model/index.ts';
import { loadReleaseNameParser } from '../release/index.ts';
import { type CacheKey, type Kept, openCache, type SearchCache } from './cache.ts';
import type { Secrets } from './hidden-links.ts';
import { checkFor } from './match.ts';
import { openNames } from './names.ts';
import type { SearchOptions } from './options.ts';
import { type RunningSearch, startSearch } from './run.ts';
import { isManager, type SearchSource, type SourceManager } from './source.ts';
import { type KnownSearch, needsNoAsking, type SearchState, type SetAside } from './state.ts';

export interface CachedSearchOptions extends SearchOptions {
  /** Folder for what was found. */
  readonly folder: string;
  readonly secrets: Secrets;
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
  const secretive = sources.filter((source) => !isManager(source) && source.listsSecrets);
  const unkept = new Set(secretive.map(({ id }) => id));
  const cache = openCache({ folder, log, secrets, unkept, ...(cacheAge !== undefined && { age: cacheAge }) });
  const key: CacheKey = { request, sources: sources.map(({ id }) => id), packs };
  const kept = cacheAge === 0 ? undefined : await cache.read(key);
  signal.throwIfAborted();
  if (kept === undefined) return keeping(startSearch(request, sources, options), cache, key);
  const age = Date.now() - kept.searched;
  if (isWhole(kept)) return restored(await stateOf(request, kept, options), age, () => cache.forget(key));
  return keeping(startSearch(request, sources, { ...options, known: knownOf(kept) }), cache, key, age);
}

/** Whether it would bring nothing to ask anybody again. */
function isWhole({ sources }: Kept): boolean {
  const now = Date.now();
  return sources.every((source) => needsNoAsking(source, now));
}

function knownOf({ releases, sources, searched, lost }: Kept): KnownSearch {
  const postings = releases.flatMap(({ links, ...post }) =>
    links.map((link): Posting => ({ ...post, link })),
  );
  return { postings, sources, earlier: { searched, lost } };
}

/** Keeps what the search has found when it has ended; of one that was broken off, nobody knows what is missing. */
function keeping(search: RunningSearch, cache: SearchCache, key: CacheKey, age?: number): CachedSearch {
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
    enough: search.enough,
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

async function stateOf(
  request: MediaRequest,
  { releases, sources, searched, lost }: Kept,
  { loadParser = loadReleaseNameParser, signal }: CachedSearchOptions,
): Promise<SearchState> {
  const names = openNames(loadParser);
  await names.read(
    releases.map(({ name }) => name),
    signal,
  );
  const check = checkFor(request);
  const judged = releases.map((each) => {
    const release = { ...each, quality: names.qualityOf(each.name) };
    return { release, reason: check(release) };
  });
  return {
    releases: judged.filter(({ reason }) => reason === undefined).map(({ release }) => release),
    setAside: judged.filter((each): each is SetAside => each.reason !== undefined),
    sources,
    finished: true,
    earlier: { searched, lost },
  };
}

function restored(state: SearchState, age: number, forget: CachedSearch['forget']): CachedSearch {
  return {
    age,
    state,
    forget,
    onChange: () => () => undefined,
    enough: Promise.resolve(),
    finished: Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
