import { CATALOGUE, type CatalogueRelease } from '../catalogue.ts';

const MAX_LIMIT = 100;

/** The ids that the indexer searches by; a parameter that it does not list in caps it ignores, as indexers do. */
export interface SearchSupport {
  readonly movie: readonly string[];
  readonly tv: readonly string[];
  /** Its caps forbid a search by words alone, which lists nothing (protocols.md §2.9). */
  readonly noText?: true;
}

export const DEFAULT_SUPPORT: SearchSupport = {
  movie: ['q', 'imdbid'],
  tv: ['q', 'season', 'ep', 'tvdbid', 'imdbid'],
};

export interface Page {
  readonly offset: number;
  readonly total: number;
  readonly releases: readonly CatalogueRelease[];
}

export type Kind = 'search' | 'tvsearch' | 'movie';

/** The newest first, one page of them. */
export function findReleases(
  kind: Kind,
  query: URLSearchParams,
  support: SearchSupport,
  posts: readonly CatalogueRelease[] = CATALOGUE,
): Page {
  const known = kind === 'search' ? ['q'] : kind === 'movie' ? support.movie : support.tv;
  const asked = (name: string) => (known.includes(name) ? (query.get(name) ?? '') : '');
  const listed = kind === 'search' && support.noText === true ? [] : posts;
  const found = listed
    .filter(
      (release) =>
        ofKind(release, kind) &&
        hasCategory(release, query.get('cat') ?? '') &&
        hasWords(release, asked('q')) &&
        hasId(release, asked) &&
        hasNumber(release.season, asked('season')) &&
        hasNumber(release.episode, asked('ep')),
    )
    .toReversed();
  const offset = Math.max(0, Number(query.get('offset') ?? 0) || 0);
  const limit = Math.min(MAX_LIMIT, Math.max(1, Number(query.get('limit') ?? MAX_LIMIT) || MAX_LIMIT));
  return { offset, total: found.length, releases: found.slice(offset, offset + limit) };
}

function ofKind(release: CatalogueRelease, kind: string): boolean {
  return kind === 'search' || release.of.kind === (kind === 'movie' ? 'movie' : 'show');
}

function hasCategory(release: CatalogueRelease, list: string): boolean {
  return list === '' || list.split(',').some((each) => release.categories.includes(Number(each)));
}

/** Every word, in any order, as indexers' full-text search does it. */
function hasWords(release: CatalogueRelease, q: string): boolean {
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const inName = new Set(words(release.name));
  return words(q).every((word) => inName.has(word));
}

/** Several ids are OR-ed (protocols of nZEDb and NNTmux). */
function hasId(release: CatalogueRelease, asked: (name: string) => string): boolean {
  const digits = (text: string | undefined) => Number((text ?? '').replace(/^tt/, ''));
  const ids = [
    [asked('imdbid'), release.of.imdb],
    [asked('tvdbid'), release.of.tvdb],
    [asked('tmdbid'), release.of.tmdb],
  ] as const;
  const given = ids.filter(([wanted]) => wanted !== '');
  return given.length === 0 || given.some(([wanted, own]) => digits(wanted) === digits(own));
}

/** "1", "01", "S01" and "E01" alike, "07/29" of a day as 729. A pack has no episode and is not found by one. */
function hasNumber(own: number | undefined, wanted: string): boolean {
  return wanted === '' || own === Number(wanted.replace(/^[se]|\//gi, ''));
}
