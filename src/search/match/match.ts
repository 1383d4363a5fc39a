import type { Claims, EpisodeNumber, MediaRequest, Quality, Release } from '../../model/index.ts';
import { plainWords, workYear } from '../../release/index.ts';
import { type TitleSet, titleSetOf, yearInBrackets } from './titles.ts';

/** What is judged: a release, or a post before it is merged. */
export type NamedRelease = Pick<Release, 'name' | 'claims' | 'quality'>;
/** Why it is not what was asked for, in words for the person; undefined when it is. */
export type MismatchCheck = (release: NamedRelease) => string | undefined;

/**
 * Whether a release is what was asked for.
 *
 * Indexers that do not know an id ignore it and list the newest posts, and a text query finds every name with those
 * words. So each result is judged by itself:
 * - a season, episode, date or absolute number in the name that contradicts the request rejects, whatever the indexer
 *   claims, and so does any of them where a film is asked for whose title does not hold it;
 * - else what the indexer claims to be the wanted id is kept whatever its name: names may be obfuscated;
 * - else the name must carry one of the known titles, and the film's (or the show's) year where it gives one; where it
 *   gives none, an id that the indexer claims must not be another's.
 */
export function mismatchOf(release: NamedRelease, request: MediaRequest): string | undefined {
  return mismatchCheck(request)(release);
}

/** The same for many releases: what is asked for is prepared once, and each distinct name is looked at once. */
export function mismatchCheck(request: MediaRequest): MismatchCheck {
  const wanted = matchTargetOf(request);
  const { episode } = request;
  return (release) => {
    const confirmed = confirmsId(release.claims, request);
    const other = confirmed ? undefined : nameMismatch(release, wanted);
    if (other !== undefined) return other;
    return episode === undefined
      ? filmMismatch(release, wanted, confirmed)
      : episodeMismatch(release, wanted, episode, confirmed);
  };
}

/**
 * What is to be said of a release that only the indexer's word makes the wanted one: its name says something else. Kept
 * all the same, for names are mended and translated in more ways than anybody knows; undefined when there is nothing.
 */
export function nameMismatchCheck(request: MediaRequest): MismatchCheck {
  const wanted = matchTargetOf(request);
  return ({ name, quality, claims }) => {
    const isSilent = quality.obfuscated || name.trim() === '';
    if (isSilent || !confirmsId(claims, request)) return undefined;
    const said = nameMismatch({ name, quality }, wanted);
    return said === undefined ? undefined : `the indexer says so, the name does not (${lowerFirst(said)})`;
  };
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

interface MatchTarget {
  readonly request: MediaRequest;
  readonly titles: TitleSet;
  readonly years: readonly number[];
  /** Words of a special's own title, by which names know it. */
  readonly specialWords?: string;
  /** Whether the title is a wanted one, for each distinct name. */
  readonly titleMatches: Map<string, boolean>;
}

function matchTargetOf(request: MediaRequest): MatchTarget {
  const { title, originalTitle, alternativeTitles = [], episode } = request;
  const titles = [title, originalTitle ?? '', ...alternativeTitles].filter((each) => each !== '');
  const special = episode?.season === 0 ? (episode.title ?? '') : '';
  const specials = special === '' ? [] : titles.map((each) => `${each} ${special}`);
  return {
    request,
    titles: titleSetOf([...titles, ...specials]),
    years: yearsOf(request),
    ...(plainWords(special) !== '' && { specialWords: plainWords(special) }),
    titleMatches: new Map(),
  };
}

/** A name may give an episode's own year instead of its show's first. */
function yearsOf({ title, year, episode }: MediaRequest): number[] {
  const own = year ?? yearInBrackets(title);
  if (own === undefined) return [];
  return episode?.aired === undefined ? [own] : [own, yearOf(episode.aired)];
}

const yearOf = (date: string) => Number(date.slice(0, 4));

function confirmsId(claims: Claims | undefined, { ids, episode }: MediaRequest): boolean {
  if (claims === undefined) return false;
  return (
    isSameId(claims.imdb, ids.imdb) ||
    isSameId(claims.tvdb, ids.tvdb) ||
    isSameId(claims.tmdb, ids.tmdb) ||
    isSameId(claims.tvmaze, ids.tvmaze) ||
    isSameId(claims.imdb, episode?.ids?.imdb)
  );
}

const isSameId = (a: string | undefined, b: string | undefined) =>
  a !== undefined && b !== undefined && idDigits(a) === idDigits(b);

/** Without "tt" and leading zeros. */
const idDigits = (id: string) => id.replace(/^(?:tt)?0*/, '');

/** A film is asked for. Numbers that belong to its title are no episodes ("District 9"). */
function filmMismatch(
  release: NamedRelease,
  { titles }: MatchTarget,
  confirmed: boolean,
): string | undefined {
  const { quality } = release;
  const { seasons, episodes, date } = quality;
  const isInTitle = titlesWithSeason(release).some(titles.includes);
  if (seasons.length > 0 && !isInTitle) return `An episode, not the film: ${numbersText(quality)}`;
  if (confirmed) return undefined;
  if (!episodes.every(titles.hasNumber)) return `An episode, not the film: ${numbersText(quality)}`;
  // Films give a year; a whole date is a broadcast's.
  return date === undefined ? undefined : `An episode, not the film: ${date}`;
}

function episodeMismatch(
  release: NamedRelease,
  wanted: MatchTarget,
  episode: EpisodeNumber,
  confirmed: boolean,
): string | undefined {
  const { seasons, episodes, date, complete } = release.quality;
  if (seasons.length > 0) return seasonMismatch(release.quality, episode);
  if (episodes.length > 0) return numberMismatch(release, wanted, episode, confirmed);
  if (date !== undefined && episode.aired !== undefined)
    return date === episode.aired ? undefined : `Another episode: ${date}`;
  // All that was ever shown, which holds no specials.
  if (complete && episode.season > 0) return undefined;
  if (hasSpecialTitle(release, wanted)) return undefined;
  return claimsMismatch(release, episode, confirmed);
}

/** A season without episodes is a pack of it; several episodes in one post are fine when the wanted one is there. */
function seasonMismatch(quality: Quality, { season, episode }: EpisodeNumber): string | undefined {
  if (!quality.seasons.includes(season)) {
    const which = quality.episodes.length === 0 ? 'season' : 'episode';
    return `Another ${which}: ${numbersText(quality)}`;
  }
  if (quality.episodes.length === 0 || quality.episodes.includes(episode)) return undefined;
  return `Another episode: ${numbersText(quality)}`;
}

/** An episode without a season is counted through, or is one of the first season, or of one that only the indexer tells. */
function numberMismatch(
  { quality, claims }: NamedRelease,
  { request: { absoluteEpisode } }: MatchTarget,
  { season, episode }: EpisodeNumber,
  confirmed: boolean,
): string | undefined {
  const { episodes } = quality;
  if (absoluteEpisode !== undefined && episodes.includes(absoluteEpisode)) return undefined;
  const claimed = confirmed && claims?.season === season && claims.episode === episode;
  // Without the absolute number nobody can contradict what the indexer knows.
  if (claimed && (absoluteEpisode === undefined || episodes.includes(episode))) return undefined;
  if (season === 1 && episodes.includes(episode)) return undefined;
  return `Another episode: ${numbersText(quality)}`;
}

/** The name is silent. What the indexer claims is then all that is known. */
function claimsMismatch(
  { quality, claims }: NamedRelease,
  { season, episode }: EpisodeNumber,
  confirmed: boolean,
): string | undefined {
  if (!confirmed) {
    const what = quality.date === undefined ? 'no number in its name' : `dated ${quality.date}`;
    return `Nobody knows which episode: ${what}`;
  }
  const said = { season, episode, ...claims };
  if (said.season === season && said.episode === episode) return undefined;
  return `Another episode, the indexer says: ${episodeCode([claims?.season], [claims?.episode])}`;
}

/** One word may be part of any title ("Pilot"); two are rarely. */
function hasSpecialTitle({ name }: NamedRelease, { specialWords }: MatchTarget): boolean {
  if (specialWords?.includes(' ') !== true) return false;
  return ` ${plainWords(name)} `.includes(` ${specialWords} `);
}

function nameMismatch(release: NamedRelease, wanted: MatchTarget): string | undefined {
  const { name, quality, claims } = release;
  const kind = wanted.request.episode === undefined ? 'film' : 'series';
  if (!hasWantedTitle(release, wanted))
    return quality.obfuscated || name.trim() === ''
      ? 'Nobody knows what it is: its name says nothing'
      : `Another ${kind}: ${quality.title.trim() || shortened(name.trim())}`;
  const year = statedYear(quality, wanted);
  if (year !== undefined) {
    if (wanted.years.some((each) => isNear(each, year))) return undefined;
    if (!canBeSeasonYear(year, wanted)) return `Another year: ${year}`;
  }
  return contradictsId(claims, wanted) ? `Another ${kind} of this name, the indexer says` : undefined;
}

/** For names that the parser finds no title in: enough of them to be known again. */
const shortened = (name: string) => (name.length > 60 ? `${name.slice(0, 59)}…` : name);

function hasWantedTitle(release: NamedRelease, { titles, titleMatches: titled }: MatchTarget): boolean {
  const { name, quality } = release;
  const known = titled.get(name);
  if (known !== undefined) return known;
  const said = [quality.title, ...quality.otherTitles, ...titlesWithSeason(release)];
  const is = said.some(titles.includes) || titles.isStartOf(name);
  titled.set(name, is);
  return is;
}

/** "Open.Season.2.2008" is a film as well as a pack, and only what is asked for tells; "Open.S02.2008" is a pack. */
function titlesWithSeason({ name, quality: { title, seasons, episodes } }: NamedRelease): string[] {
  const [season] = seasons;
  const isOne = season !== undefined && seasons.length === 1 && episodes.length === 0;
  return isOne && /season/i.test(name) ? [`${title} Season ${season}`] : [];
}

/**
 * The year that the name gives, where one is asked for. A number of the title itself is none ("Runner 2049"), and that
 * by which a season is counted ("S2016E01") has been compared as the season.
 */
function statedYear(quality: Quality, { years, titles }: MatchTarget): number | undefined {
  const own = workYear(quality) ?? (quality.date === undefined ? undefined : yearOf(quality.date));
  return own === undefined || years.length === 0 || titles.hasNumber(own) ? undefined : own;
}

/** Festival, cinema and disc fall into different years. */
const isNear = (a: number, b: number) => Math.abs(a - b) <= 1;

/** Names give the year of the season or episode too; as long as that is not known, it is any since the show began. */
function canBeSeasonYear(year: number, { request: { episode }, years }: MatchTarget): boolean {
  return episode !== undefined && episode.aired === undefined && year >= Math.min(...years) - 1;
}

/** Where the name does not tell two films, or two series, of one title apart, the indexer may. */
function contradictsId(
  claims: Claims | undefined,
  { request: { ids, episode }, years }: MatchTarget,
): boolean {
  // Without a year to compare, what a film's name says is not known to be silent.
  if (episode === undefined && years.length === 0) return false;
  return (episode === undefined ? FILM_IDS : SERIES_IDS).some((key) => {
    const [claimed, own] = [claims?.[key], ids[key]];
    if (claimed === undefined || own === undefined) return false;
    return !isSameId(claimed, own) && !isSameId(claimed, episode?.ids?.[key]);
  });
}

const FILM_IDS = ['imdb', 'tmdb'] as const;
/** Not IMDb's: indexers give the show's or the episode's there, as it comes. */
const SERIES_IDS = ['tvdb', 'tvmaze', 'tmdb'] as const;

/** "S02E03", "S01-S03", "E28". */
function numbersText({ seasons, episodes }: Quality): string {
  return episodeCode(
    [...seasons.slice(0, 1), ...seasons.slice(1).slice(-1)],
    [...episodes.slice(0, 1), ...episodes.slice(1).slice(-1)],
  );
}

function episodeCode(
  seasons: readonly (number | undefined)[],
  episodes: readonly (number | undefined)[],
): string {
  const part = (letter: string, numbers: readonly (number | undefined)[]) =>
    numbers
      .filter((number) => number !== undefined)
      .map((number) => `${letter}${String(number).padStart(2, '0')}`)
      .join('-');
  return `${part('S', seasons)}${part('E', episodes)}`;
}
