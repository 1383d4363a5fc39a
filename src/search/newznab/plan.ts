import type { EpisodeNumber, MediaIds, MediaRequest } from '../../model/index.ts';
import { queryText } from '../title.ts';
import type { Caps } from './caps.ts';

/** One request's parameters, `t` among them. */
export type Query = Readonly<Record<string, string>>;

/**
 * What to ask, the most precise first; the next attempt is made when one found nothing that fits. An attempt lists
 * alternatives: the next of them is taken only when the indexer does not know the one before.
 */
export type Plan = readonly (readonly Query[])[];

/** The parents, which stand for all categories below them on nearly every indexer. */
const MOVIES = '2000';
const TV = '5000';
const PAGE = 100;

export function planQueries(request: MediaRequest, caps: Caps): Plan {
  const { episode } = request;
  const attempts =
    episode === undefined ? movieAttempts(request, caps) : episodeAttempts(request, episode, caps);
  const common = { cat: episode === undefined ? MOVIES : TV, extended: '1', limit: String(PAGE) };
  return attempts
    .map((queries) => queries.map((query) => ({ ...query, ...common })))
    .filter((queries) => queries.length > 0);
}

function movieAttempts(request: MediaRequest, caps: Caps): Query[][] {
  const id = idParameter(request.ids, caps.movie, ['imdbid', 'tmdbid']);
  // Several large indexers take no text in t=movie, so text always goes to the general search.
  const texts = titlesOf(request).map((title) => [
    { t: 'search', q: withWord(title, request.year === undefined ? '' : String(request.year)) },
  ]);
  return [id === undefined ? [] : [{ t: 'movie', ...id }], ...texts];
}

function episodeAttempts(request: MediaRequest, episode: EpisodeNumber, caps: Caps): Query[][] {
  const byNumber = caps.tv.includes('season') && caps.tv.includes('ep');
  const numbers = { season: String(episode.season), ep: String(episode.episode) };
  // By IMDb id episodes are found least reliably.
  const id = byNumber ? idParameter(request.ids, caps.tv, ['tvdbid', 'tmdbid', 'imdbid']) : undefined;
  const texts = titlesOf(request).map((title) => {
    const general = { t: 'search', q: withWord(title, episodeCode(episode)) };
    return byNumber && caps.tv.includes('q') ? [{ t: 'tvsearch', q: title, ...numbers }, general] : [general];
  });
  return [id === undefined ? [] : [{ t: 'tvsearch', ...id, ...numbers }], ...texts];
}

/** One id only: several are OR-ed by some indexers. The first that the request has and the indexer takes. */
function idParameter(
  ids: MediaIds,
  supported: readonly string[],
  order: readonly ('imdbid' | 'tmdbid' | 'tvdbid')[],
): Query | undefined {
  const values = { imdbid: imdbDigits(ids.imdb), tmdbid: digits(ids.tmdb), tvdbid: digits(ids.tvdb) };
  for (const name of order) {
    const value = values[name];
    if (value !== undefined && supported.includes(name)) return { [name]: value };
  }
  return undefined;
}

/** Seven digits at least, without "tt": as indexers store it. */
function imdbDigits(id: string | undefined): string | undefined {
  return digits(id?.replace(/^tt/, ''))?.padStart(7, '0');
}

function digits(id: string | undefined): string | undefined {
  return id !== undefined && /^\d{1,12}$/.test(id) ? id : undefined;
}

/** The title and, where its words differ, the original one; only what leaves words to ask for. */
function titlesOf({ title, originalTitle }: MediaRequest): string[] {
  const texts = [title, originalTitle ?? ''].map(queryText).filter((text) => text !== '');
  return [...new Set(texts)];
}

const withWord = (title: string, word: string) => `${title} ${word}`.trim();

function episodeCode({ season, episode }: EpisodeNumber): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `S${two(season)}E${two(episode)}`;
}
