import * as v from 'valibot';
import type { IdKind } from '../../../model/index.ts';
import type { SearchCapabilities, SearchQuery } from '../source.ts';

/** What a service can be asked by: parameters of Newznab in lower case; an empty list: not offered. */
export interface Caps {
  readonly search: readonly string[];
  readonly tv: readonly string[];
  readonly movie: readonly string[];
  /** Rows of one answer at the most. */
  readonly limit: number;
  /** A search by words alone is ruled out, not merely left unmentioned. */
  readonly forbidsText?: true;
}

/** More is clamped by nearly everybody, whatever they say (protocols.md §5.2, §5.6). */
export const PAGE_SIZE = 100;
/** Nobody offers more parameters, nor longer ones. */
const MAX_PARAMETERS = 50;
const MAX_PARAMETER_LENGTH = 40;

const names = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(MAX_PARAMETER_LENGTH))),
  v.maxLength(MAX_PARAMETERS),
  v.readonly(),
);
/** As it is kept on disk. */
export const CapsSchema = v.object({
  search: names,
  tv: names,
  movie: names,
  limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(PAGE_SIZE)),
  forbidsText: v.exactOptional(v.literal(true)),
});

/** A list of parameters as a service writes it, bounded. */
export function parameterNames(listed: readonly string[]): string[] {
  return listed
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name.length <= MAX_PARAMETER_LENGTH)
    .slice(0, MAX_PARAMETERS);
}

export const ID_PARAMETER = {
  imdb: 'imdbid',
  tmdb: 'tmdbid',
  tvdb: 'tvdbid',
  tvmaze: 'tvmazeid',
} as const satisfies Record<IdKind, string>;

/** The most reliable first: by IMDb id episodes are found least (protocols.md §5.7). */
const MOVIE_IDS: readonly IdKind[] = ['imdb', 'tmdb'];
const SERIES_IDS: readonly IdKind[] = ['tvdb', 'tvmaze', 'tmdb', 'imdb'];

/** What can be asked of a service with these. */
export function capabilitiesOf({ tv, movie, forbidsText }: Caps): SearchCapabilities {
  return {
    movieIds: MOVIE_IDS.filter((kind) => movie.includes(ID_PARAMETER[kind])),
    seriesIds: SERIES_IDS.filter((kind) => tv.includes(ID_PARAMETER[kind])),
    episodeNumbers: tv.includes('season') && tv.includes('ep'),
    movieText: movie.includes('q'),
    seriesText: tv.includes('q'),
    ...(forbidsText && { noPlainText: true }),
  };
}

/** Whether all of the query is understood. What is not, is ignored by many, who then list whatever is newest. */
export function supportsQuery(caps: Caps, query: SearchQuery): boolean {
  const { kind, id, text, season, episode, date } = query;
  // A plain text is taken by everybody, also by one whose caps forget to say so; not by one whose caps say no.
  if (kind === 'text') return text !== undefined && id === undefined && caps.forbidsText !== true;
  if ((id === undefined) === (text === undefined)) return false;
  const needed = [id === undefined ? 'q' : ID_PARAMETER[id.kind]];
  if (kind === 'series' && (season ?? date) !== undefined) needed.push('season');
  if (kind === 'series' && (episode ?? date) !== undefined) needed.push('ep');
  const offered = kind === 'movie' ? caps.movie : caps.tv;
  return needed.every((parameter) => offered.includes(parameter));
}

/** The parents, which stand for all categories below them on nearly every indexer; anime is asked for beside them. */
export function parentCategories({ kind, area }: SearchQuery): string[] {
  const parent = kind === 'movie' || area === 'movies' ? '2000' : '5000';
  return area === 'anime' ? [parent, ANIME_CATEGORY] : [parent];
}

/**
 * What managers are asked in. With an id in none: Prowlarr drops what an indexer has filed elsewhere, and NZBHydra2 asks
 * nobody who is on for a part of the category. It takes several for the first one (protocols.md §6.1, §7.2).
 */
export function managedCategories(query: SearchQuery): string[] {
  if (query.id !== undefined) return [];
  return query.area === 'anime' ? [ANIME_CATEGORY] : parentCategories(query);
}

const ANIME_CATEGORY = '5070';

/** A daily show's broadcast as its season and episode: the year, and month/day. */
export function numberParameters({ season, episode, date }: SearchQuery): {
  season?: string;
  episode?: string;
} {
  const [year, month, day] = date?.split('-') ?? [];
  if (year !== undefined) return { season: year, episode: `${month ?? ''}/${day ?? ''}` };
  return {
    ...(season !== undefined && { season: String(season) }),
    ...(episode !== undefined && { episode: String(episode) }),
  };
}
