import type { EpisodeNumber, IdKind, MediaRequest } from '../../model/index.ts';
import { FIRST_YEAR_SEASON } from '../../release/index.ts';
import { queryText } from '../match/titles.ts';
import type { SearchCapabilities, SearchQuery } from '../sources/source.ts';
import { type Attempt, attempt } from './attempt.ts';
import type { QueryOptions } from './options.ts';
import { queriesById, supportedIds, titleTexts } from './texts-and-ids.ts';

/** By IMDb id episodes are found least reliably (protocols.md §5.7). */
const ID_ORDER: readonly IdKind[] = ['tvdb', 'tvmaze', 'tmdb', 'imdb'];
/** What identifies the episode beside its show, and how a plain text says it. */
interface Numbering {
  readonly fields: Pick<SearchQuery, 'season' | 'episode' | 'date'>;
  readonly words: string;
}

/**
 * An episode by its numbers; a daily show by its date first; anime also by its absolute number, a special also by its
 * title. Where packs are wanted, its season is asked for beside it.
 */
export function episodeAttempts(
  request: MediaRequest,
  episode: EpisodeNumber,
  abilities: SearchCapabilities,
  { seasonPacks: packs = false }: QueryOptions,
): Attempt[] {
  const texts = titleTexts(request);
  const by = (number: Numbering) => numberedAttempts(request, number, texts, abilities);
  const byNumber = by(numberingByNumber(episode));
  const byDate = episode.aired === undefined ? [] : by(numberingByDate(episode.aired));
  const absolute = absoluteOf(request, episode);
  const byAbsolute = absolute === undefined ? [] : absoluteAttempts(texts, absolute);
  if (episode.season >= FIRST_YEAR_SEASON) return [...byDate, ...byNumber];
  const [first = attempt(), ...further] = byNumber;
  const pack = packs && episode.season > 0 ? [packAttempt(request, episode.season, texts, abilities)] : [];
  const special = episode.season === 0 ? specialAttempts(texts, episode) : [];
  return [first, ...byAbsolute, ...pack, ...further, ...special, ...byDate.slice(0, 1)];
}

/** By id, then by each title; where the source knows no numbers, they are words like any other. */
function numberedAttempts(
  { ids }: MediaRequest,
  { fields, words }: Numbering,
  texts: readonly string[],
  abilities: SearchCapabilities,
): Attempt[] {
  const byId = queriesById({ ...SERIES, ...fields }, usableSeriesIds(ids, abilities), abilities);
  const byText = texts.map((text) => {
    const plain: SearchQuery = { kind: 'text', area: 'series', text: `${text} ${words}` };
    return abilities.episodeNumbers && abilities.seriesText
      ? attempt({ ...SERIES, text, ...fields }, plain)
      : attempt(plain);
  });
  return byId.length === 0 ? byText : [attempt(...byId), ...byText];
}

const SERIES = { kind: 'series', area: 'series' } as const;

/** Without numbers beside it an id lists whatever is newest of the whole show. */
const usableSeriesIds = (
  ids: MediaRequest['ids'],
  { episodeNumbers: numbers, seriesIds: supported }: SearchCapabilities,
) => (numbers ? supportedIds(ids, supported, ID_ORDER) : []);

const numberingByNumber = ({ season, episode }: EpisodeNumber): Numbering => ({
  fields: { season, episode },
  words: `s${twoDigits(season)}e${twoDigits(episode)}`,
});

const numberingByDate = (date: string): Numbering => ({ fields: { date }, words: date.replaceAll('-', ' ') });

const twoDigits = (n: number) => String(n).padStart(2, '0');

/** In a first season both counts agree. */
function absoluteOf({ absoluteEpisode, anime }: MediaRequest, { season, episode }: EpisodeNumber) {
  return absoluteEpisode ?? (anime === true && season === 1 ? episode : undefined);
}

/** Always: groups that count through and groups that count by season name the same episode, and each has its friends. */
function absoluteAttempts(texts: readonly string[], absolute: number): Attempt[] {
  return texts.slice(0, 2).map((text, index) => ({
    alternatives: [{ kind: 'text', area: 'anime', text: `${text} ${twoDigits(absolute)}` }],
    isAlwaysSent: index === 0,
  }));
}

function packAttempt(
  { ids }: MediaRequest,
  season: number,
  [text]: readonly string[],
  abilities: SearchCapabilities,
): Attempt {
  const byId = queriesById({ ...SERIES, season }, usableSeriesIds(ids, abilities), abilities);
  const plain: SearchQuery[] =
    text === undefined ? [] : [{ kind: 'text', area: 'series', text: `${text} s${twoDigits(season)}` }];
  const byText: SearchQuery[] =
    text !== undefined && abilities.episodeNumbers && abilities.seriesText
      ? [{ ...SERIES, text, season }]
      : [];
  return { alternatives: [...byId, ...byText, ...plain], isAlwaysSent: true, isForPack: true };
}

/** Databases number specials each in their own way; their names mostly give the title alone. */
function specialAttempts([text]: readonly string[], { title }: EpisodeNumber): Attempt[] {
  const words = title === undefined ? '' : queryText(title);
  if (text === undefined || words === '') return [];
  return [attempt({ kind: 'text', area: 'series', text: `${text} ${words}` })];
}
