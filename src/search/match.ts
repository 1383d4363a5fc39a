import type { Claims, EpisodeNumber, MediaRequest, Release } from '../model/index.ts';
import { isOneOf, startsWithOneOf } from './title.ts';

/**
 * Whether a release is what was asked for. Indexers that do not know an id ignore it and list whatever is newest, and
 * a text query finds every name with those words, so each result is checked against the request:
 * - the title must be the wanted or the original one, unless the indexer claims the wanted id;
 * - a year in the name must be the wanted one, unless title and claim agree: indexers misfile posts;
 * - a season or episode in the name that contradicts the request rejects, whatever the indexer claims.
 */
export function fitsRequest(release: Release, request: MediaRequest): boolean {
  const titled = hasWantedTitle(release, request);
  const claimed = claimsWantedId(release.claims, request);
  if (!titled && !claimed) return false;
  if (!hasWantedYear(release, request) && !(titled && claimed)) return false;
  return request.episode === undefined
    ? release.quality.seasons.length === 0
    : fitsEpisode(release, request.episode, claimed);
}

function hasWantedTitle({ name, quality }: Release, { title, originalTitle }: MediaRequest): boolean {
  const wanted = originalTitle === undefined ? [title] : [title, originalTitle];
  return isOneOf(quality.title, wanted) || startsWithOneOf(name, wanted);
}

function claimsWantedId(claims: Claims | undefined, { ids, episode }: MediaRequest): boolean {
  if (claims === undefined) return false;
  const same = (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && idDigits(a) === idDigits(b);
  return (
    same(claims.imdb, ids.imdb) ||
    same(claims.tvdb, ids.tvdb) ||
    same(claims.tmdb, ids.tmdb) ||
    same(claims.imdb, episode?.ids?.imdb)
  );
}

/** Without "tt" and leading zeros. */
const idDigits = (id: string) => id.replace(/^(?:tt)?0*/, '');

/** Festival, cinema and disc fall into different years. */
const YEAR_TOLERANCE = 1;

/** A name may give an episode's own year instead of its show's first. */
function hasWantedYear({ quality }: Release, { year, episode }: MediaRequest): boolean {
  const own = quality.year;
  if (own === undefined || year === undefined) return true;
  const years = [year, ...(episode?.aired === undefined ? [] : [Number(episode.aired.slice(0, 4))])];
  return years.some((each) => Math.abs(each - own) <= YEAR_TOLERANCE);
}

function fitsEpisode(release: Release, wanted: EpisodeNumber, claimed: boolean): boolean {
  const { seasons, episodes, date } = release.quality;
  const { claims } = release;
  const claimsEpisode = claimed && claims?.season === wanted.season && claims.episode === wanted.episode;
  if (seasons.length > 0)
    // A season without episodes is a pack of it.
    return seasons.includes(wanted.season) && (episodes.length === 0 || episodes.includes(wanted.episode));
  // An episode without a season is one of the first, or counted through, which only the indexer can tell.
  if (episodes.length > 0) return (wanted.season === 1 && episodes.includes(wanted.episode)) || claimsEpisode;
  if (date !== undefined && wanted.aired !== undefined) return date === wanted.aired;
  return claimsEpisode;
}
