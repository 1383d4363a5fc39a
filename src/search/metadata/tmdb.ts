import * as v from 'valibot';
import type { EpisodeNumber, MediaIds, MediaRequest } from '../../model/index.ts';
import { fetchJson } from './fetch-json.ts';
import { anything, lenient, lenientList, parseLenient } from './lenient-schema.ts';
import { type Metadata, validMetadata } from './metadata.ts';

export const TMDB_URL = 'https://api.themoviedb.org';

export interface TmdbOptions {
  /** A v3 key, or a v4 token. */
  readonly key: string;
  readonly url: string;
  readonly signal: AbortSignal;
}

/** What TMDb (API version 3) knows of the film or episode. @throws as `fetchJson` */
export async function fetchTmdbMetadata(
  request: MediaRequest,
  options: TmdbOptions,
): Promise<Metadata | undefined> {
  const id = request.ids.tmdb ?? (await findId(request, options));
  if (id === undefined || !/^\d{1,12}$/.test(id)) return undefined;
  return request.episode === undefined ? fetchMovie(id, options) : fetchEpisode(id, request.episode, options);
}

const Titles = lenientList(v.object({ title: anything }));
const SHARED_FIELDS = {
  original_language: anything,
  genres: lenientList(v.object({ id: anything })),
  external_ids: lenient(v.object({ imdb_id: anything, tvdb_id: anything })),
};

const Movie = v.object({
  ...SHARED_FIELDS,
  title: anything,
  original_title: anything,
  release_date: anything,
  runtime: anything,
  imdb_id: anything,
  alternative_titles: lenient(v.object({ titles: Titles })),
  translations: lenient(
    v.object({ translations: lenientList(v.object({ data: v.object({ title: anything }) })) }),
  ),
});

async function fetchMovie(id: string, options: TmdbOptions): Promise<Metadata | undefined> {
  const answer = await fetchTmdb(
    `movie/${id}?append_to_response=alternative_titles,external_ids,translations`,
    options,
  );
  const movie = parseLenient(Movie, answer);
  if (movie === undefined) return undefined;
  return validMetadata({
    titles: [
      movie.title,
      ...(movie.alternative_titles?.titles ?? []).map((each) => each.title),
      ...(movie.translations?.translations ?? []).map((each) => each.data.title),
    ],
    originalTitle: movie.original_title,
    year: yearOf(movie.release_date),
    ids: { imdb: movie.imdb_id ?? movie.external_ids?.imdb_id, tmdb: id, tvdb: undefined, tvmaze: undefined },
    runtime: movie.runtime,
    originalLanguage: movie.original_language,
    anime: false,
  });
}

const Show = v.object({
  ...SHARED_FIELDS,
  name: anything,
  original_name: anything,
  first_air_date: anything,
  episode_run_time: lenientList(v.number()),
  seasons: lenientList(v.object({ season_number: v.number(), episode_count: v.number() })),
  alternative_titles: lenient(v.object({ results: Titles })),
});
type Show = v.InferOutput<typeof Show>;

const Episode = v.object({ name: anything, air_date: anything, runtime: anything });

async function fetchEpisode(
  id: string,
  number: EpisodeNumber,
  options: TmdbOptions,
): Promise<Metadata | undefined> {
  const { season, episode } = number;
  const [answer, one] = await Promise.all([
    fetchTmdb(`tv/${id}?append_to_response=external_ids,alternative_titles`, options),
    // The show alone is better than nothing.
    fetchTmdb(`tv/${id}/season/${season}/episode/${episode}`, options).catch(() => undefined),
  ]);
  const show = parseLenient(Show, answer);
  if (show === undefined) return undefined;
  const own = parseLenient(Episode, one);
  const anime = show.original_language === 'ja' && show.genres.some((genre) => genre.id === ANIMATION);
  const tvdb = show.external_ids?.tvdb_id;
  return validMetadata({
    titles: [show.name, ...(show.alternative_titles?.results ?? []).map((each) => each.title)],
    originalTitle: show.original_name,
    year: yearOf(show.first_air_date),
    ids: {
      imdb: show.external_ids?.imdb_id,
      tmdb: id,
      tvdb: typeof tvdb === 'number' ? String(tvdb) : undefined,
      tvmaze: undefined,
    },
    runtime: own?.runtime ?? show.episode_run_time[0],
    originalLanguage: show.original_language,
    anime,
    ...(anime && { absoluteEpisode: absoluteNumber(show, number) }),
    episodeTitle: own?.name,
    aired: own?.air_date,
  });
}

/** Of TMDb's genres. */
const ANIMATION = 16;

/** Some shows' episodes are counted through also within their seasons: then the number is it. */
function absoluteNumber({ seasons }: Show, { season, episode }: EpisodeNumber): number | undefined {
  if (season === 0) return undefined;
  const counts = new Map(seasons.map((each) => [each.season_number, each.episode_count]));
  if (episode > (counts.get(season) ?? Infinity)) return episode;
  let before = 0;
  for (let each = 1; each < season; each++) {
    const count = counts.get(each);
    if (count === undefined) return undefined;
    before += count;
  }
  return before + episode;
}

const FindResponse = v.object({
  movie_results: lenientList(v.object({ id: v.number() })),
  tv_results: lenientList(v.object({ id: v.number() })),
});

async function findId({ ids, episode }: MediaRequest, options: TmdbOptions): Promise<string | undefined> {
  const by = externalId(ids);
  if (by === undefined) return undefined;
  const answer = await fetchTmdb(`find/${by.value}?external_source=${by.source}`, options);
  const found = parseLenient(FindResponse, answer);
  if (found === undefined) return undefined;
  const [first] = episode === undefined ? found.movie_results : found.tv_results;
  return first === undefined ? undefined : String(first.id);
}

function externalId({ imdb, tvdb }: MediaIds): { value: string; source: string } | undefined {
  if (imdb !== undefined && /^tt\d{1,12}$/.test(imdb)) return { value: imdb, source: 'imdb_id' };
  if (tvdb !== undefined && /^\d{1,12}$/.test(tvdb)) return { value: tvdb, source: 'tvdb_id' };
  return undefined;
}

const yearOf = (date: unknown) =>
  typeof date === 'string' && /^\d{4}-/.test(date) ? Number(date.slice(0, 4)) : undefined;

const fetchTmdb = (path: string, { signal, ...options }: TmdbOptions): Promise<unknown> =>
  fetchJson({ service: 'TMDb', signal, ...withApiKey(path, options) });

/** A request with the key: a v4 token is a JSON Web Token and goes into a header; a v3 key goes into the address. */
export function withApiKey(
  path: string,
  { key, url }: Pick<TmdbOptions, 'key' | 'url'>,
): { readonly url: string; readonly headers?: Readonly<Record<string, string>> } {
  const isToken = key.startsWith('eyJ');
  const address = new URL(`/3/${path}`, url);
  if (!isToken) address.searchParams.set('api_key', key);
  return { url: address.href, ...(isToken && { headers: { authorization: `Bearer ${key}` } }) };
}
