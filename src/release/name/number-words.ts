import { readFurtherEpisodes } from './codes.ts';
import {
  digits,
  E,
  EPISODE,
  EPISODE_WORDS,
  isBareRange,
  NUMBER,
  type Numbering,
  type NumberingReader,
  ofTotal,
  RANGES,
  range,
  SEASON_WORDS,
  sorted,
  TIGHT,
} from './numbering.ts';
import type { Token } from './tokens.ts';

const ORDINAL = /^(\d{1,2})(?:st|nd|rd|th|я|й|ja|ª|a|º|o|eme|ere|de|te)?$/;

const LINK = /^(?:to|bis|a|al|au|and|und|et|e|y|&|и|по|до)$/;
/** "Episode 5 a 12 Step Plan": the others are words of English titles. */
const ENGLISH_LINK = /^(?:to|and|&)$/;
const ENGLISH = /^(?:seasons?|series|episodes?|eps?)$/;

/** A number or a list of them behind a word: "Season 1", "Seasons 1-3", "Seasons 1, 2 & 3", "1 to 4". */
function numbersAt(
  tokens: readonly Token[],
  at: number,
  spaced = true,
): { numbers: number[]; to: number } | undefined {
  const first = NUMBER.exec(tokens[at]?.key ?? '') ?? /^[se](\d{1,3})$/.exec(tokens[at]?.key ?? '');
  if (first === null || /^(?:19|20)\d\d$/.test(first[1] ?? '')) return undefined;
  const numbers = [Number(first[1])];
  const english = ENGLISH.test(tokens[at - 1]?.key ?? '');
  let to = at + 1;
  while (to < tokens.length) {
    const token = tokens[to];
    const last = Math.max(...numbers);
    const word = (english ? ENGLISH_LINK : LINK).test(token?.key ?? '') ? 1 : 0;
    const value = tokens[to + word];
    const number = /^(?:s|e|ep)?(\d{1,3})$/.exec(value?.key ?? '')?.[1];
    if (number === undefined || Number(number) <= last || !/^[\s,.&+–~-]{0,3}$/.test(value?.sep ?? '')) break;
    const through =
      word === 1
        ? /^(?:to|bis|al?|au|по|до)$/.test(token?.key ?? '')
        : (spaced ? RANGES : TIGHT).test(token?.sep ?? '');
    const listed = word === 1 || /[,&+]/.test(token?.sep ?? '') || tokens[to - 1]?.plus === true;
    // "Episode 5, 100 Ways": behind a word for one, a list goes on with the very next.
    if (!through && !(listed && (spaced || Number(number) === last + 1))) break;
    numbers.push(...(through ? range(last, Number(number)) : [Number(number)]));
    to += word + 1;
  }
  return { numbers: sorted(numbers), to };
}

/** "Season 1 Episode 2", "Staffel 1", "1-й сезон 2 серия", "2nd Season", "Temporada 1 Capitulo 3". */
export const readWords: NumberingReader = (tokens, at) => {
  const key = tokens[at]?.key ?? '';
  const season = seasonWordsAt(tokens, at, key);
  if (season === undefined) return undefined;
  const episode = episodeWordsAt(tokens, season.to);
  const plain = EPISODE.exec(tokens[season.to]?.key ?? '');
  const part = readOf(tokens, season.to) ?? readOf(tokens, season.to + 1) ?? partBehind(tokens, season.to);
  if (part !== undefined) return { ...part, from: at, seasons: season.numbers };
  if (episode !== undefined) {
    return { from: at, to: ofTotal(tokens, episode.to), seasons: season.numbers, episodes: episode.numbers };
  }
  if (plain !== null && season.numbers.length === 1) {
    return readFurtherEpisodes(
      tokens,
      at,
      season.to + 1,
      season.numbers[0] ?? 1,
      [Number(plain[1])],
      plain[3],
    );
  }
  return { from: at, to: season.to, seasons: season.numbers, episodes: [] };
};

/** Words for more than one season; "series" is one. */
const SEASONS = /^(?!seri).*s$|ы$|^staffeln$|^stagioni$|^sezony$/;

function seasonWordsAt(tokens: readonly Token[], at: number, key: string) {
  if (SEASON_WORDS.has(key)) {
    // "Series" and the like begin titles, and "Season 2 - 04" is an episode, not a range.
    if (key.startsWith('seri') && at === 0) return undefined;
    const found = numbersAt(tokens, at + 1, SEASONS.test(key));
    return found?.numbers.some((one) => one > 99) ? undefined : found;
  }
  const first = ordinalOf(key);
  if (first === undefined) return undefined;
  const [second, third] = [tokens[at + 1], tokens[at + 2]];
  if (isSeasonWord(second)) {
    // "Show 2 Season 1" counts the season behind the word, unless that number is an episode's ("1 сезон 5 серия").
    const counts =
      NUMBER.test(third?.key ?? '') &&
      /^[\s._]+$/.test(third?.sep ?? '') &&
      !EPISODE_WORDS.has(tokens[at + 3]?.key ?? '');
    return /^\d+$/.test(key) && counts ? undefined : { numbers: [first], to: at + 2 };
  }
  return isSeasonWord(third) && leadsToSeasons(key, second, tokens[at + 3])
    ? { numbers: range(first, ordinalOf(second?.key ?? '') ?? first), to: at + 3 }
    : undefined;
}

/** "1-3 сезон", "1st - 3rd Season"; in "01 - 12 Season 1" and "Gundam 00 - 2nd Season" the numbers are no seasons'. */
function leadsToSeasons(first: string, last: Token | undefined, behind: Token | undefined): boolean {
  if (last === undefined || !RANGES.test(last.sep) || NUMBER.test(behind?.key ?? '')) return false;
  if ((ordinalOf(last.key) ?? 0) <= (ordinalOf(first) ?? 0)) return false;
  return TIGHT.test(last.sep) || /^\d+$/.test(first) === /^\d+$/.test(last.key);
}

const isSeasonWord = (token: Token | undefined) =>
  token !== undefined && SEASON_WORDS.has(token.key) && !token.key.startsWith('seri');

export const SPELT = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

function ordinalOf(key: string): number | undefined {
  const spelt = SPELT.indexOf(key);
  if (spelt > 0) return spelt;
  const number = ORDINAL.exec(key)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Words for more than one episode: only behind them may blanks stand around the dash ("Episodes 1 - 3"). */
const SEVERAL = /s$|ии$|ий$|^folgen$|^episodi$/;

function episodeWordsAt(tokens: readonly Token[], at: number) {
  const key = tokens[at]?.key ?? '';
  if (EPISODE_WORDS.has(key)) return numbersAt(tokens, at + 1, SEVERAL.test(key));
  // "1 - 5 серии", but not "Gundam 00 - 12 серия".
  const found = numbersAt(tokens, at, SEVERAL.test(tokens[at + 2]?.key ?? ''));
  const word = tokens[found?.to ?? -1]?.key ?? '';
  return found !== undefined && EPISODE_WORDS.has(word) && /^(?:сери|эпиз|odc)/.test(word)
    ? { numbers: found.numbers, to: found.to + 1 }
    : undefined;
}

/** "E05", "EP05", "Episode 5", "E01-E05", "05 серия": counted through, or from the first season. */
export const readEpisodeOnly: NumberingReader = (tokens, at) => {
  const key = tokens[at]?.key ?? '';
  const plain = key.charCodeAt(0) === E ? EPISODE.exec(key) : null;
  if (plain !== null && (at > 0 || tokens.length > 1)) {
    const { seasons: _, ...found } = readFurtherEpisodes(
      tokens,
      at,
      at + 1,
      0,
      [Number(plain[1]), ...digits(plain[2] ?? '')],
      plain[3],
    );
    return { ...found, seasons: [] };
  }
  if (at === 0) return undefined;
  const found =
    EPISODE_WORDS.has(key) ||
    /^(?:сери)/.test(tokens[at + 1]?.key ?? '') ||
    RANGES.test(tokens[at + 1]?.sep ?? '')
      ? episodeWordsAt(tokens, at)
      : undefined;
  if (found === undefined || /^(?:teil|chapter|ch|част|dil)$/.test(key)) return undefined;
  return { from: at, to: ofTotal(tokens, found.to), seasons: [], episodes: found.numbers };
};

/** "Cap.105" is the fifth episode of the first season, "Cap.301_310" ten of the third. */
export const readSpanish: NumberingReader = (tokens, at) => {
  const first = /^([1-9]\d?)(\d\d)$/.exec(tokens[at + 1]?.key ?? '');
  if (tokens[at]?.key !== 'cap' || first === null) return undefined;
  const [season, episode] = [Number(first[1]), Number(first[2])];
  const second = /^([1-9]\d?)(\d\d)$/.exec(tokens[at + 2]?.key ?? '');
  const last = second !== null && Number(second[1]) === season && /^[_-]$/.test(tokens[at + 2]?.sep ?? '');
  return {
    from: at,
    to: at + (last ? 3 : 2),
    seasons: [season],
    episodes: last ? range(episode, Number(second[2])) : [episode],
  };
};

const NUMERALS = 'zero one two three four five six seven eight nine ten'.split(' ');
const ROMAN = ' i ii iii iv v vi vii viii ix x'.split(' ');

/** "Part 2", "Pt.IV": an episode only where the name is a series' for another reason. */
export function readPart(tokens: readonly Token[], at: number): Numbering | undefined {
  if (!/^(?:part|pt|night)$/.test(tokens[at]?.key ?? '')) return undefined;
  const key = tokens[at + 1]?.key ?? '';
  const spelt = Math.max(NUMERALS.indexOf(key), ROMAN.indexOf(key));
  const number = /^\d{1,2}$/.test(key) ? Number(key) : spelt;
  return number > 0 ? { from: at, to: at + 2, seasons: [], episodes: [number] } : undefined;
}

/** "Series 2 Part 1", but not "Season 2 Part 2 - 03". */
function partBehind(tokens: readonly Token[], at: number): Numbering | undefined {
  const part = readPart(tokens, at);
  return /\s-\s/.test(tokens[at + 2]?.sep ?? '') ? undefined : part;
}

const OF_GLUED = /^(\d{1,3})(?:of|из|von)(\d{1,3})$/;

/** "Disk 2 of 2" counts what holds the episodes. */
const MEDIUM = /^(?:dis[ckq]|disco|cd|dvd|bd|bluray|vol|volume|box|set|pack|file|tape|side)s?$/;

/** "1of6", "01 of 12". */
export const readOf: NumberingReader = (tokens, at) => {
  if (!(tokens[at]?.digit ?? false)) return undefined;
  const glued = OF_GLUED.exec(tokens[at]?.key ?? '');
  if (glued !== null && at > 0 && !MEDIUM.test(tokens[at - 1]?.key ?? ''))
    return { from: fromPart(tokens, at), to: at + 1, seasons: [], episodes: [Number(glued[1])] };
  const plain = /^\d{1,3}$/.test(tokens[at]?.key ?? '') && /^(?:of|из)$/.test(tokens[at + 1]?.key ?? '');
  if (!plain || !/^\d{1,3}$/.test(tokens[at + 2]?.key ?? '') || at === 0) return undefined;
  const ranged = isRangeOf(tokens, at);
  const first = ranged ? at - 1 : at;
  if (MEDIUM.test(tokens[first - 1]?.key ?? '')) return undefined;
  const last = Number(tokens[at]?.key);
  return {
    from: fromPart(tokens, first),
    to: at + 3,
    seasons: [],
    episodes: ranged ? range(Number(tokens[first]?.key), last) : [last],
  };
};

/** "1-2 of 6", "Ep 1 - 2 of 6". */
function isRangeOf(tokens: readonly Token[], at: number): boolean {
  const [word, first, last] = [tokens[at - 2], tokens[at - 1], tokens[at]];
  if (first === undefined || last === undefined || !/^\d{1,3}$/.test(first.key)) return false;
  const named =
    EPISODE_WORDS.has(word?.key ?? '') && RANGES.test(last.sep) && Number(first.key) < Number(last.key);
  return named || isBareRange(first.key, last.sep, last.key);
}

const fromPart = (tokens: readonly Token[], at: number) =>
  /^(?:part|pt|ep|episode)$/.test(tokens[at - 1]?.key ?? '') && at > 1 ? at - 1 : at;

const EAST_ASIAN = /^(?:第(\d{1,2})[季期])?(?:第?(\d{1,4})(?:-(\d{1,4}))?[話话集回화화])?(?:end|完)?$/u;

/** "第05話", "05화", "第2季第3集". */
export const readEastAsian: NumberingReader = (tokens, at) => {
  const key = tokens[at]?.key ?? '';
  if (key.charCodeAt(0) < 128 && key.charCodeAt(key.length - 1) < 128) return undefined;
  const match = EAST_ASIAN.exec(key);
  if (match === null || (match[1] === undefined && match[2] === undefined)) return undefined;
  const season = match[1] === undefined ? [] : [Number(match[1])];
  const next =
    season.length > 0 && match[2] === undefined ? EAST_ASIAN.exec(tokens[at + 1]?.key ?? '') : null;
  const episode = match[2] ?? next?.[2];
  return {
    from: at,
    to: next?.[2] === undefined ? at + 1 : at + 2,
    seasons: season,
    episodes: episode === undefined ? [] : [Number(episode)],
  };
};
