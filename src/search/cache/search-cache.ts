import { join } from 'node:path';
import * as v from 'valibot';
import { type ErrorCode, SlipstreamError } from '../../errors/index.ts';
import { hexHash } from '../../io/hash.ts';
import { openDocument, pruneDocuments, type StoredDocument } from '../../io/store.ts';
import type { Logger } from '../../log/index.ts';
import type { Link, MediaRequest, Release } from '../../model/index.ts';
import type { SearchState, SourceStatus } from '../run/search-state.ts';
import { openLinkMasker, type SourceSecrets } from './masked-links.ts';

export interface SearchCacheOptions {
  readonly folder: string;
  readonly log: Logger;
  /** What the sources' links may hold that must not reach the disk. */
  readonly secrets: SourceSecrets;
  /** Ids of sources of which no link is kept (SearchSource.hasSecretLinks). */
  readonly uncacheable?: ReadonlySet<string>;
  /** Milliseconds that the outcome of a complete search is good for. 0: nothing is kept. */
  readonly maxAge?: number;
}

/** What a search has found, merged, whether it fits or not. */
export interface CachedResults {
  /** Milliseconds since the epoch. */
  readonly searched: number;
  /** How each source did. */
  readonly sources: readonly SourceStatus[];
  /** Links that were found and could not be kept. */
  readonly lost: number;
  /** Without their quality: the name tells it again. */
  readonly releases: readonly CachedRelease[];
}

export type CachedRelease = Omit<Release, 'quality'>;

/** What is asked of whom. */
export interface SearchKey {
  readonly request: MediaRequest;
  readonly sources: readonly string[];
  readonly packs: boolean;
}

export type SearchOutcome = Pick<SearchState, 'releases' | 'rejected' | 'sources' | 'earlier'>;

export interface SearchCache {
  /** Undefined when there is nothing, or nothing fresh. */
  read(key: SearchKey): Promise<CachedResults | undefined>;
  /**
   * Keeps the outcome of a search that has ended by itself, and who is missing in it; so is who has listed something of
   * which no link is kept. What was known from an earlier one grows no younger. Never fails: what cannot be kept is not, and the log tells.
   */
  write(key: SearchKey, outcome: SearchOutcome): Promise<void>;
  /** What was kept is no longer good. Never fails. */
  forget(key: SearchKey): Promise<void>;
}

const DEFAULT_MAX_AGE = 10 * 60_000;
/** Milliseconds. That of which something is lost is good for going back to the list only. */
const PARTIAL_MAX_AGE = 60_000;
const MAX_RELEASES = 3_000;
const MAX_LINKS = 200;
const MAX_TEXT = 8192;
/** Bytes of all releases together; a document may have 8 MB, and the sources need some. */
const MAX_RELEASES_BYTES = 7 * 1024 * 1024;
const MAX_FILES = 100;
const MAX_BYTES = 32 * 1024 * 1024;

export function openSearchCache(options: SearchCacheOptions): SearchCache {
  const { folder, log, secrets, uncacheable: unkept = new Set(), maxAge: age = DEFAULT_MAX_AGE } = options;
  const searchesFolder = join(folder, 'searches');
  const masker = openLinkMasker(secrets);
  const maskLink = (link: Link) => {
    const hidden = isCacheable(link) ? masker.mask(link) : undefined;
    return hidden !== undefined && isCacheable(hidden) ? hidden : undefined;
  };
  const documentOf = (key: SearchKey): StoredDocument<StoredSearch> =>
    openDocument(searchesFolder, documentName(key, secrets), {
      version: 4,
      parse: (value) => v.parse(Stored, value),
    });
  return {
    read: async (key) => {
      const stored = await documentOf(key).read();
      if (stored === undefined) return undefined;
      const now = Date.now();
      const { searched, lost } = stored;
      const sources = stored.sources.map(statusOf);
      const old = now - searched;
      if (old < 0 || old > (lost === 0 ? age : Math.min(age, PARTIAL_MAX_AGE))) return undefined;
      return { searched, sources, lost, releases: withLinks(stored.releases, masker.unmask) };
    },
    write: async (key, { releases, rejected: setAside, sources, earlier }) => {
      if (age <= 0) return;
      const all = [...releases, ...setAside.map(({ release }) => release)];
      const found = withLinks(all, (link) => (unkept.has(link.source) ? undefined : link));
      const kept = withinBounds(withLinks(found, maskLink).map(withoutQuality));
      const lost = countLinks(found) - countLinks(kept);
      if (lost > 0) log.warning(`of what was found, ${lost} of ${countLinks(found)} links cannot be kept`);
      const stored: StoredSearch = {
        searched: earlier?.searched ?? Date.now(),
        sources: sources.map((status) => storedOf(unkept.has(status.id) ? asUnasked(status) : status)),
        lost: lost + (earlier?.lost ?? 0),
        releases: kept,
      };
      try {
        if (found.length > 0) await documentOf(key).write(stored);
        await pruneDocuments(searchesFolder, { files: MAX_FILES, bytes: MAX_BYTES, age });
      } catch (error) {
        log.warning(`what was found is not kept: ${String(error)}`);
      }
    },
    forget: (key) =>
      documentOf(key)
        .remove()
        .catch((error: unknown) => {
          log.warning(`what was found is not forgotten: ${String(error)}`);
        }),
  };
}

const countLinks = (releases: readonly { readonly links: readonly Link[] }[]) =>
  releases.reduce((sum, { links }) => sum + links.length, 0);

/** What can be read again, of what is to be written. */
function withinBounds(releases: readonly CachedRelease[]): CachedRelease[] {
  const kept: CachedRelease[] = [];
  let bytes = 0;
  for (const release of releases) {
    const [first, ...others] = release.links;
    const cut = { ...release, links: [first, ...others.slice(0, MAX_LINKS - 1)] } as const;
    if (!v.is(StoredRelease, cut)) continue;
    bytes += Buffer.byteLength(JSON.stringify(cut)) + 1;
    if (kept.length === MAX_RELEASES || bytes > MAX_RELEASES_BYTES) break;
    kept.push(cut);
  }
  return kept;
}

/** As if it had not been asked yet: what it had listed is not kept. */
const asUnasked = (status: SourceStatus): SourceStatus =>
  status.found === 0
    ? status
    : { id: status.id, name: status.name, state: 'waiting', found: 0, fitting: 0, partial: [] };

/**
 * A link that plays may hold whatever its add-on has put there (AIOStreams and AltMount: the indexer's key), encoded in ways
 * that nobody here looks through; its headers hold a login.
 */
const isCacheable = ({ url, guid, plays }: Link) =>
  plays !== true && url.length <= MAX_TEXT && guid.length <= MAX_TEXT;

/** A release without any link is no use. */
function withLinks<T extends { readonly links: readonly Link[] }>(
  releases: readonly T[],
  change: (link: Link) => Link | undefined,
): (T & { links: [Link, ...Link[]] })[] {
  return releases.flatMap((release) => {
    const [first, ...others] = release.links.flatMap((link) => change(link) ?? []);
    return first === undefined ? [] : [{ ...release, links: [first, ...others] }];
  });
}

const withoutQuality = ({ quality: _, ...release }: Release): CachedRelease => release;

interface StoredSearch {
  readonly searched: number;
  readonly sources: readonly StoredSource[];
  readonly lost: number;
  readonly releases: readonly CachedRelease[];
}

const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));
const count = v.pipe(v.number(), v.finite());
/** Milliseconds since the epoch, as far as dates go. */
const time = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));
const StoredLink = v.object({
  url: text,
  guid: text,
  indexer: text,
  source: text,
  manager: v.exactOptional(v.object({ software: v.picklist(['Prowlarr', 'NZBHydra2']), who: text })),
});
const StoredRelease = v.object({
  name: text,
  links: v.pipe(v.tupleWithRest([StoredLink], StoredLink), v.maxLength(MAX_LINKS)),
  size: v.exactOptional(count),
  posted: v.exactOptional(time),
  grabs: v.exactOptional(count),
  passworded: v.exactOptional(v.boolean()),
  poster: v.exactOptional(text),
  password: v.exactOptional(text),
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
});

/** Failures after which asking again may be useless. */
const CODES = [
  'AUTH_FAILED',
  'RATE_LIMITED',
  'UNREACHABLE',
  'TIMEOUT',
  'SERVICE_ERROR',
  'BAD_ANSWER',
  'TOO_LARGE',
  'INTERNAL',
] as const satisfies readonly ErrorCode[];
const StoredFailure = v.object({ code: v.picklist(CODES), what: text, next: text });
type StoredFailure = v.InferOutput<typeof StoredFailure>;
const StoredSource = v.object({
  id: text,
  name: text,
  state: v.picklist(['answered', 'failed', 'resting', 'waiting', 'asked']),
  found: count,
  fitting: count,
  failure: v.exactOptional(StoredFailure),
  partial: v.array(StoredFailure),
  manager: v.exactOptional(v.object({ id: text, name: text })),
  rest: v.exactOptional(
    v.object({ until: time, reason: v.picklist(['limit', 'failures']), why: v.exactOptional(text) }),
  ),
});
type StoredSource = v.InferOutput<typeof StoredSource>;
const Stored = v.object({
  searched: time,
  sources: v.array(StoredSource),
  lost: count,
  releases: v.array(StoredRelease),
});

function storedOf(status: SourceStatus): StoredSource {
  const { id, name, state, found, fitting, failure, manager, partial, rest } = status;
  return {
    id,
    name,
    state,
    found,
    fitting,
    ...(failure !== undefined && { failure: storedFailure(failure) }),
    partial: partial.map(storedFailure),
    ...(manager !== undefined && { manager }),
    ...(rest !== undefined && { rest }),
  };
}

const storedFailure = ({ code, explanation }: SlipstreamError): StoredFailure => ({
  code: CODES.find((known) => known === code) ?? 'INTERNAL',
  what: explanation.what.slice(0, MAX_TEXT),
  next: explanation.next.slice(0, MAX_TEXT),
});

function statusOf({ failure, partial, ...source }: StoredSource): SourceStatus {
  return {
    ...source,
    ...(failure !== undefined && { failure: failureOf(failure) }),
    partial: partial.map(failureOf),
  };
}

const failureOf = ({ code, what, next }: StoredFailure) => new SlipstreamError(code, { what, next });

/** A hash of all that the queries follow from. */
function documentName({ request, sources, packs }: SearchKey, secrets: SourceSecrets): string {
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
  const asking = [...sources].sort().map((id) => [id, fingerprint(secrets[id] ?? [])]);
  const whole = JSON.stringify([asked, number, asking, packs]);
  return `search-${hexHash(whole, 32)}`;
}

/** Sixteen bits: enough to see that a key was changed (a refused one, say), and too little to find out what it is. */
const fingerprint = (secrets: readonly string[]) => hexHash(JSON.stringify(secrets), 4);
