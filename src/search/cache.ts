import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Document, openDocument } from '../io/store.ts';
import type { Logger } from '../log/index.ts';
import type { Link, MediaRequest, Release } from '../model/index.ts';
import { prune } from './bounded-folder.ts';
import { hiddenLinks, type Secrets } from './hidden-links.ts';

export interface CacheOptions {
  readonly folder: string;
  readonly log: Logger;
  /** What the sources' links may hold that must not reach the disk. */
  readonly secrets: Secrets;
  /** Milliseconds that the outcome of a complete search is good for. 0: nothing is kept. */
  readonly age?: number;
}

/** What a search has found, merged, whether it fits or not. */
export interface Kept {
  /** Milliseconds since the search. */
  readonly age: number;
  /** Whether every source had answered. */
  readonly complete: boolean;
  /** Without their quality: the name tells it again. */
  readonly releases: readonly KeptRelease[];
}

export type KeptRelease = Omit<Release, 'quality'>;

/** What is asked of whom. */
export interface CacheKey {
  readonly request: MediaRequest;
  readonly sources: readonly string[];
  readonly packs: boolean;
}

export interface SearchCache {
  /** Undefined when there is nothing, or nothing fresh. */
  read(key: CacheKey): Promise<Kept | undefined>;
  /** Never fails: what cannot be kept is not, and the log tells. */
  write(key: CacheKey, releases: readonly Release[], complete: boolean): Promise<void>;
}

const USUAL_AGE = 10 * 60_000;
/** Milliseconds. What some sources gave is good for going back to the list, not for trying again. */
const PARTIAL_AGE = 60_000;
const MAX_RELEASES = 3_000;
const MAX_FILES = 100;
const MAX_BYTES = 32 * 1024 * 1024;

export function openCache({ folder, log, secrets, age = USUAL_AGE }: CacheOptions): SearchCache {
  const place = join(folder, 'searches');
  const links = hiddenLinks(secrets);
  const documentOf = (key: CacheKey): Document<StoredSearch> =>
    openDocument(place, nameOf(key), { version: 1, parse: (value) => v.parse(Stored, value) });
  return {
    read: async (key) => {
      const stored = await documentOf(key).read();
      if (stored === undefined) return undefined;
      const { complete, searched } = stored;
      const old = Date.now() - searched;
      if (old < 0 || old > (complete ? age : Math.min(age, PARTIAL_AGE))) return undefined;
      return { age: old, complete, releases: withLinks(stored.releases, links.reveal) };
    },
    write: async (key, releases, complete) => {
      if (age <= 0) return;
      const kept = withLinks(releases.slice(0, MAX_RELEASES), links.hide).map(stripped);
      const document = documentOf(key);
      try {
        await document.write({ searched: Date.now(), complete, releases: kept });
        await prune(place, { files: MAX_FILES, bytes: MAX_BYTES, age });
      } catch (error) {
        log.warning(`what was found is not kept: ${String(error)}`);
      }
    },
  };
}

/** A release without any link is no use. */
function withLinks<T extends { readonly links: readonly Link[] }>(
  releases: readonly T[],
  change: (link: Link) => Link | undefined,
): (T & { links: [Link, ...Link[]] })[] {
  return releases.flatMap((release) => {
    const [first, ...others] = release.links.map(change).filter((link) => link !== undefined);
    return first === undefined ? [] : [{ ...release, links: [first, ...others] }];
  });
}

const stripped = ({ quality: _, ...release }: Release): KeptRelease => release;

interface StoredSearch {
  /** Milliseconds since the epoch. */
  readonly searched: number;
  readonly complete: boolean;
  readonly releases: readonly KeptRelease[];
}

const text = v.pipe(v.string(), v.maxLength(8192));
const count = v.pipe(v.number(), v.finite());
const StoredLink = v.object({ url: text, guid: text, indexer: text, source: text });
const Stored = v.object({
  searched: count,
  complete: v.boolean(),
  releases: v.array(
    v.object({
      name: text,
      links: v.pipe(v.tupleWithRest([StoredLink], StoredLink), v.maxLength(200)),
      size: v.exactOptional(count),
      posted: v.exactOptional(count),
      grabs: v.exactOptional(count),
      passworded: v.exactOptional(v.boolean()),
      poster: v.exactOptional(text),
      claims: v.exactOptional(
        v.object({
          imdb: v.exactOptional(text),
          tmdb: v.exactOptional(text),
          tvdb: v.exactOptional(text),
          tvmaze: v.exactOptional(text),
          season: v.exactOptional(count),
          episode: v.exactOptional(count),
        }),
      ),
    }),
  ),
});

/** A hash of all that the queries follow from. */
function nameOf({ request, sources, packs }: CacheKey): string {
  const { kind, title, originalTitle, alternativeTitles, year, ids, episode, absoluteEpisode } = request;
  const { imdb, tmdb, tvdb, tvmaze } = ids;
  const asked = [
    kind,
    title,
    originalTitle,
    alternativeTitles,
    year,
    imdb,
    tmdb,
    tvdb,
    tvmaze,
    absoluteEpisode,
  ];
  const number = [episode?.season, episode?.episode, episode?.aired];
  const whole = JSON.stringify([asked, number, [...sources].sort(), packs]);
  return `search-${createHash('sha256').update(whole).digest('hex').slice(0, 32)}`;
}
