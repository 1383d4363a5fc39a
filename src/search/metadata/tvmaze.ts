import * as v from 'valibot';
import { ownValue } from '../../io/own-property.ts';
import type { EpisodeNumber, MediaIds, MediaRequest } from '../../model/index.ts';
import { fetchJson } from './fetch-json.ts';
import { anything, lenient, lenientList, parseLenient } from './lenient-schema.ts';
import { type Metadata, validMetadata } from './metadata.ts';

export const TVMAZE_URL = 'https://api.tvmaze.com';

export interface TvmazeOptions {
  readonly url: string;
  readonly signal: AbortSignal;
}

/** What TVmaze knows of the episode; it is found by its show's ids only. @throws as `fetchJson` */
export async function fetchTvmazeMetadata(
  { ids, episode }: MediaRequest,
  options: TvmazeOptions,
): Promise<Metadata | undefined> {
  const id = await findId(ids, options);
  if (id === undefined || episode === undefined) return undefined;
  const [answer, one] = await Promise.all([
    fetchTvmaze(`shows/${id}?embed=akas`, options),
    // The show alone is better than nothing.
    fetchTvmaze(
      `shows/${id}/episodebynumber?season=${episode.season}&number=${episode.episode}`,
      options,
    ).catch(() => undefined),
  ]);
  const show = parseLenient(Show, answer);
  if (show === undefined) return undefined;
  const listed = parseLenient(Episode, one);
  const anime = show.genres.includes('Anime');
  const tvdb = show.externals?.thetvdb;
  return validMetadata({
    titles: [show.name, ...show._embedded.akas.map((each) => each.name)],
    year: typeof show.premiered === 'string' ? Number(show.premiered.slice(0, 4)) : undefined,
    ids: {
      imdb: show.externals?.imdb,
      tmdb: undefined,
      tvdb: typeof tvdb === 'number' ? String(tvdb) : undefined,
      tvmaze: id,
    },
    runtime: listed?.runtime ?? show.averageRuntime ?? show.runtime,
    originalLanguage: ownValue(LANGUAGES, show.language ?? ''),
    anime,
    ...(anime && { absoluteEpisode: await absoluteNumber(id, episode, options) }),
    episodeTitle: listed?.name,
    aired: listed?.airdate,
  });
}

const Show = v.object({
  name: anything,
  premiered: anything,
  language: lenient(v.string()),
  genres: lenientList(v.string()),
  runtime: anything,
  averageRuntime: anything,
  externals: lenient(v.object({ thetvdb: anything, imdb: anything })),
  _embedded: v.fallback(v.object({ akas: lenientList(v.object({ name: anything })) }), { akas: [] }),
});
const Episode = v.object({ name: anything, airdate: anything, runtime: anything });

/** TVmaze names languages in English; those of most shows that are released in more than one. */
const LANGUAGES: Readonly<Record<string, string>> = {
  English: 'en',
  Japanese: 'ja',
  Korean: 'ko',
  Chinese: 'zh',
  German: 'de',
  French: 'fr',
  Spanish: 'es',
  Italian: 'it',
  Portuguese: 'pt',
  Russian: 'ru',
  Swedish: 'sv',
  Danish: 'da',
  Norwegian: 'no',
  Dutch: 'nl',
  Polish: 'pl',
  Turkish: 'tr',
};

const EpisodeList = lenientList(v.object({ season: v.number(), number: v.number() }));

/** Its place among all regular episodes, which TVmaze lists in their order. */
async function absoluteNumber(
  id: string,
  { season, episode }: EpisodeNumber,
  options: TvmazeOptions,
): Promise<number | undefined> {
  if (season === 1) return episode;
  const answer = await fetchTvmaze(`shows/${id}/episodes`, options).catch(() => undefined);
  const at = v
    .parse(EpisodeList, answer)
    .findIndex((each) => each.season === season && each.number === episode);
  return at < 0 ? undefined : at + 1;
}

async function findId({ tvmaze, tvdb, imdb }: MediaIds, options: TvmazeOptions): Promise<string | undefined> {
  if (tvmaze !== undefined && /^\d{1,12}$/.test(tvmaze)) return tvmaze;
  const lookups = [
    ...(tvdb !== undefined && /^\d{1,12}$/.test(tvdb) ? [`thetvdb=${tvdb}`] : []),
    ...(imdb !== undefined && /^tt\d{1,12}$/.test(imdb) ? [`imdb=${imdb}`] : []),
  ];
  for (const lookup of lookups) {
    const answer = await fetchTvmaze(`lookup/shows?${lookup}`, options);
    if (v.is(v.object({ id: v.number() }), answer)) return String(answer.id);
  }
  return undefined;
}

const fetchTvmaze = (path: string, { url, signal }: TvmazeOptions): Promise<unknown> =>
  fetchJson({ service: 'TVmaze', url: new URL(`/${path}`, url).href, signal });
