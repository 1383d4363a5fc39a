import { keyOf } from './key.ts';
import type { Tag } from './tags.ts';
import type { Token } from './tokens.ts';

/** Where a name tells its season and episode, and which. */
export interface Numbering {
  readonly from: number;
  readonly to: number;
  readonly seasons: readonly number[];
  readonly episodes: readonly number[];
  /** "05v2" was mended once. */
  readonly revision?: number;
  /** "S08D03": a disc of the season. */
  readonly disc?: boolean;
}

/** A name that counts more seasons or episodes than this was misread. */
const MAX_NUMBERS = 500;

type Reader = (tokens: readonly Token[], at: number) => Numbering | undefined;

/** The first place that says it in so many words: "S01E02", "1x02", "Season 1 Episode 2", "E05". */
export function numberingOf(tokens: readonly Token[]): Numbering | undefined {
  const places = tokens.flatMap((token, at) => (mayCount(token) ? [at] : []));
  if (places.length === 0) return undefined;
  for (const read of READERS) {
    const found = firstOf(read, tokens, places);
    if (found === undefined) continue;
    // "Temporada 1 [HDTV][Cap.105]": the episode stands apart from the season.
    const apart = found.episodes.length === 0 ? firstOf(readSpanish, tokens, places) : undefined;
    return apart === undefined ? found : { ...found, episodes: apart.episodes };
  }
  return undefined;
}

function firstOf(read: Reader, tokens: readonly Token[], places: readonly number[]): Numbering | undefined {
  for (const at of places) {
    const found = read(tokens, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** No numbering begins with any other word. */
const mayCount = ({ key, digit }: Token) =>
  digit || SEASON_WORDS.has(key) || EPISODE_WORDS.has(key) || SPELT.includes(key);

const range = (first: number, last: number): number[] =>
  last < first || last - first >= MAX_NUMBERS
    ? [first]
    : Array.from({ length: last - first + 1 }, (_, index) => first + index);

const sorted = (numbers: Iterable<number>): number[] => [...new Set(numbers)].sort((a, b) => a - b);

const E = 'e'.charCodeAt(0);
const S = 's'.charCodeAt(0);
const T = 't'.charCodeAt(0);
const SXE = /^[st](\d{1,4})((?:x?[ex]p?\d{1,4})+)([a-d])?(?:v(\d))?$/;
const SEASON = /^se?(\d{1,4})$/;
const EPISODE = /^(?:e|ep|eps|x)(\d{1,4})((?:e\d{1,4})*)(?:v(\d))?$/;
const NUMBER = /^(\d{1,4})(?:v(\d))?$/;
const SEASON_RUN = /^(?:s\d{1,2}){2,}$/;
const X = /^(\d{1,2}|20[0-3]\d(?=x\d\d$))x(\d{1,3})((?:x\d{1,3})*)(?:v(\d))?$/;
const TIGHT = /^[-–~]$/;
const RANGES = /^\s?[-–~]\s?$/;

const digits = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

/** "S01E02", with all that may follow: "E03", "-E05", "-05", ".S01E03". */
const readSxE: Reader = (tokens, at) => {
  const token = tokens[at];
  const initial = token?.key.charCodeAt(0);
  if (initial !== S && initial !== T) return undefined;
  const whole = SXE.exec(token?.key ?? '');
  if (whole !== null) return follow(tokens, at, at + 1, Number(whole[1]), digits(whole[2] ?? ''), whole[4]);
  const alone = SEASON.exec(token?.key ?? '')?.[1];
  if (alone === undefined) return undefined;
  const next = tokens[at + 1];
  const episode = EPISODE.exec(next?.key ?? '');
  if (episode !== null && /^[\s._-]{0,3}$|^\s?[-\]) ]{1,3}[[(]?$/.test(next?.sep ?? '')) {
    const numbers = [Number(episode[1]), ...digits(episode[2] ?? '')];
    return follow(tokens, at, at + 2, Number(alone), numbers, episode[3]);
  }
  const number = NUMBER.exec(tokens[at + 2]?.key ?? '');
  if (number !== null && EPISODE_WORDS.has(next?.key ?? '')) {
    return follow(tokens, at, at + 3, Number(alone), [Number(number[1])], number[2]);
  }
  return undefined;
};

/** Reads on behind the first episode. */
function follow(
  tokens: readonly Token[],
  from: number,
  start: number,
  season: number,
  first: readonly number[],
  version: string | undefined,
): Numbering {
  const seasons = new Set([season]);
  const episodes = new Set(first);
  let revision = version;
  let to = start;
  for (; to < tokens.length; to++) {
    const token = tokens[to];
    const last = Math.max(...episodes);
    if (token === undefined) break;
    const more = SXE.exec(token.key);
    const another = EPISODE.exec(token.key);
    const number = NUMBER.exec(token.key);
    const plus = tokens[to - 1]?.plus === true;
    const through = EPISODE.exec(tokens[to + 1]?.key ?? '');
    if (more !== null && /^[\s._-]{0,3}$/.test(token.sep)) {
      const numbers = digits(more[2] ?? '');
      if (Number(more[1]) === season && RANGES.test(token.sep) && (numbers[0] ?? 0) > last) {
        for (const one of range(last, numbers[0] ?? last)) episodes.add(one);
      }
      for (const one of numbers) episodes.add(one);
      seasons.add(Number(more[1]));
    } else if (token.key === 'to' && through !== null) {
      for (const one of range(last, Number(through[1]))) episodes.add(one);
      to++;
    } else if (another !== null && !token.key.startsWith('x') && /^[\s._&,-]{0,3}$/.test(token.sep)) {
      const next = Number(another[1]);
      if (RANGES.test(token.sep)) for (const one of range(last, next)) episodes.add(one);
      for (const one of [next, ...digits(another[2] ?? '')]) episodes.add(one);
      revision ??= another[3];
    } else if (number !== null && continues(tokens, to, last, plus)) {
      const next = Number(number[1]);
      const ranged = RANGES.test(token.sep) && !plus;
      for (const one of ranged ? range(last, next) : [next]) episodes.add(one);
      revision ??= number[2];
    } else break;
  }
  return {
    from,
    to: ofTotal(tokens, to),
    seasons: sorted(seasons),
    episodes: episodes.size > MAX_NUMBERS ? [] : sorted(episodes),
    ...(revision !== undefined && { revision: Math.max(0, Number(revision) - 1) }),
  };
}

/** A bare number goes on with the episodes only when it is joined to them and larger: "S01E01-03", "S01E01 & 02". */
function continues(tokens: readonly Token[], at: number, last: number, plus: boolean): boolean {
  const token = tokens[at];
  if (token === undefined || token.key.length > 3) return false;
  const value = Number.parseInt(token.key, 10);
  if (value <= last || value - last > 200) return false;
  if (/^[-–~]$/.test(token.sep) || (plus && token.sep === '')) return true;
  // A title's number follows a spaced dash as well, so nothing but an end, a bracket or "of" may stand behind.
  if (!/^\s[-–~]\s$/.test(token.sep)) return false;
  const next = tokens[at + 1];
  return token.key.length > 1 && (next === undefined || /[[(\])]/.test(next.sep));
}

const OF = new Set(['of', 'из', 'von', 'di', 'de', 'sur', 'iz']);

/** "… of 10" belongs to it. */
function ofTotal(tokens: readonly Token[], at: number): number {
  return OF.has(tokens[at]?.key ?? '') && /^\d{1,4}$/.test(tokens[at + 1]?.key ?? '') ? at + 2 : at;
}

/** "1x02", "1x02x03", "1x02-03", "1x02-1x03". */
const readX: Reader = (tokens, at) => {
  const key = tokens[at]?.key ?? '';
  const match = key.includes('x') ? X.exec(key) : null;
  if (match === null) return undefined;
  const [season, episode] = [Number(match[1]), match[2] ?? ''];
  if (episode.length < 2 && !(at > 0 && /^[\s._([-]+$/.test(tokens[at]?.sep ?? '') && season < 30))
    return undefined;
  const episodes = new Set([Number(episode), ...digits(match[3] ?? '')]);
  let to = at + 1;
  for (; to < tokens.length; to++) {
    const more = X.exec(tokens[to]?.key ?? '');
    const last = Math.max(...episodes);
    const sep = tokens[to]?.sep ?? '';
    if (more !== null && Number(more[1]) === season && /^[\s._&-]{1,3}$/.test(sep)) {
      if (RANGES.test(sep)) for (const one of range(last, Number(more[2]))) episodes.add(one);
      episodes.add(Number(more[2]));
    } else if (NUMBER.test(tokens[to]?.key ?? '') && continues(tokens, to, last, false)) {
      for (const one of range(last, Number.parseInt(tokens[to]?.key ?? '', 10))) episodes.add(one);
    } else break;
  }
  return { from: at, to: ofTotal(tokens, to), seasons: [season], episodes: sorted(episodes) };
};

const SEASON_WORDS = new Set(
  'season seasons saison saisons staffel staffeln temporada temporadas stagione stagioni сезон сезоны сезона sezon sezony sasong sæson sesong kausi seizoen evad series serie seria seasson sezona сезонов tporada'
    .split(' ')
    .map(keyOf),
);
const EPISODE_WORDS = new Set(
  'episode episodes ep eps folge folgen episodio episodios episodi capitulo capitulos cap caps серия серии серий эпизод эпизоды odcinek odc afsnit avsnitt aflevering jakso bolum resz epizoda dil част teil épisode episodul puntata ch chapter серії серія епізод'
    .split(' ')
    .map(keyOf),
);
const ORDINAL = /^(\d{1,2})(?:st|nd|rd|th|я|й|ja|ª|a|º|o|eme|ere|de|te)?$/;

/** A number or a list of them behind a word: "Season 1", "Seasons 1-3", "Seasons 1, 2 & 3", "1 to 4". */
function numbersAt(
  tokens: readonly Token[],
  at: number,
  spaced = true,
): { numbers: number[]; to: number } | undefined {
  const first = NUMBER.exec(tokens[at]?.key ?? '') ?? /^[se](\d{1,3})$/.exec(tokens[at]?.key ?? '');
  if (first === null || /^(?:19|20)\d\d$/.test(first[1] ?? '')) return undefined;
  const numbers = [Number(first[1])];
  let to = at + 1;
  while (to < tokens.length) {
    const token = tokens[to];
    const last = Math.max(...numbers);
    const word = /^(?:to|bis|a|al|au|and|und|et|e|y|&|и|по|до)$/.test(token?.key ?? '') ? 1 : 0;
    const value = tokens[to + word];
    const number = /^(?:s|e|ep)?(\d{1,3})$/.exec(value?.key ?? '')?.[1];
    if (number === undefined || Number(number) <= last || !/^[\s,.&+–~-]{0,3}$/.test(value?.sep ?? '')) break;
    const through =
      word === 1
        ? /^(?:to|bis|al?|au|по|до)$/.test(token?.key ?? '')
        : (spaced ? RANGES : TIGHT).test(token?.sep ?? '');
    const listed = word === 1 || /[,&+]/.test(token?.sep ?? '') || tokens[to - 1]?.plus === true;
    if (!through && !listed) break;
    numbers.push(...(through ? range(last, Number(number)) : [Number(number)]));
    to += word + 1;
  }
  return { numbers: sorted(numbers), to };
}

/** "Season 1 Episode 2", "Staffel 1", "1-й сезон 2 серия", "2nd Season", "Temporada 1 Capitulo 3". */
const readWords: Reader = (tokens, at) => {
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
    return follow(tokens, at, season.to + 1, season.numbers[0] ?? 1, [Number(plain[1])], plain[3]);
  }
  return { from: at, to: season.to, seasons: season.numbers, episodes: [] };
};

function seasonWordsAt(tokens: readonly Token[], at: number, key: string) {
  if (SEASON_WORDS.has(key)) {
    // "Series" and the like begin titles, and "Season 2 - 04" is an episode, not a range.
    if (/^seri/.test(key) && at === 0) return undefined;
    const found = numbersAt(tokens, at + 1, /s$|ы$/.test(key) && !key.startsWith('seri'));
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
  const last = ordinalOf(second?.key ?? '') ?? 0;
  return RANGES.test(second?.sep ?? '') && last > first && isSeasonWord(third)
    ? { numbers: range(first, last), to: at + 3 }
    : undefined;
}

const isSeasonWord = (token: Token | undefined) =>
  token !== undefined && SEASON_WORDS.has(token.key) && !token.key.startsWith('seri');

const SPELT = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

function ordinalOf(key: string): number | undefined {
  const spelt = SPELT.indexOf(key);
  if (spelt > 0) return spelt;
  const number = ORDINAL.exec(key)?.[1];
  return number === undefined ? undefined : Number(number);
}

function episodeWordsAt(tokens: readonly Token[], at: number) {
  const key = tokens[at]?.key ?? '';
  if (EPISODE_WORDS.has(key)) return numbersAt(tokens, at + 1);
  const found = numbersAt(tokens, at);
  const word = tokens[found?.to ?? -1]?.key ?? '';
  return found !== undefined && EPISODE_WORDS.has(word) && /^(?:сери|эпиз|odc)/.test(word)
    ? { numbers: found.numbers, to: found.to + 1 }
    : undefined;
}

/** "E05", "EP05", "Episode 5", "E01-E05", "05 серия": counted through, or from the first season. */
const readEpisodeOnly: Reader = (tokens, at) => {
  const key = tokens[at]?.key ?? '';
  const plain = key.charCodeAt(0) === E ? EPISODE.exec(key) : null;
  if (plain !== null && (at > 0 || tokens.length > 1)) {
    const { seasons: _, ...found } = follow(
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
const readSpanish: Reader = (tokens, at) => {
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

/** "S01", "S01-S03", "S01S02", "S01+S02". */
const readSeasons: Reader = (tokens, at) => {
  const key = tokens[at]?.key ?? '';
  if (key.charCodeAt(0) !== S) return undefined;
  const part = /^s(\d{1,2})(?:p|pt|part|vol)\d{1,2}$/.exec(key)?.[1];
  if (part !== undefined) return { from: at, to: at + 1, seasons: [Number(part)], episodes: [] };
  const disc = /^s(\d{1,2})d\d{1,2}$/.exec(key)?.[1];
  if (disc !== undefined) return { from: at, to: at + 1, seasons: [Number(disc)], episodes: [], disc: true };
  if (SEASON_RUN.test(key)) return { from: at, to: at + 1, seasons: sorted(digits(key)), episodes: [] };
  const first = SEASON.exec(key)?.[1];
  if (first === undefined || (at === 0 && tokens.length === 1)) return undefined;
  const seasons = new Set([Number(first)]);
  let to = at + 1;
  for (; to < tokens.length; to++) {
    const token = tokens[to];
    const next = SEASON.exec(token?.key ?? '')?.[1];
    const bare = /^\d{1,2}$/.exec(token?.key ?? '')?.[0];
    const last = Math.max(...seasons);
    const word = /^(?:to|thru|and|&)$/.test(token?.key ?? '') ? tokens[to + 1] : undefined;
    const behind = SEASON.exec(word?.key ?? '')?.[1];
    if (next !== undefined && /^[\s._&,~–-]{0,3}$/.test(token?.sep ?? '')) {
      for (const one of RANGES.test(token?.sep ?? '') ? range(last, Number(next)) : [Number(next)])
        seasons.add(one);
    } else if (behind !== undefined) {
      for (const one of token?.key.startsWith('t') ? range(last, Number(behind)) : [Number(behind)])
        seasons.add(one);
      to++;
    } else if (bare !== undefined && /^[-–~]$/.test(token?.sep ?? '') && Number(bare) > last) {
      for (const one of range(last, Number(bare))) seasons.add(one);
    } else break;
  }
  const specials = tokens[to]?.key === 'specials' && /[+&]/.test(tokens[to]?.sep ?? '');
  if (specials) seasons.add(0);
  return { from: at, to: specials ? to + 1 : ofTotal(tokens, to), seasons: sorted(seasons), episodes: [] };
};

const NUMERALS = 'zero one two three four five six seven eight nine ten'.split(' ');
const ROMAN = ' i ii iii iv v vi vii viii ix x'.split(' ');

/** "Part 2", "Pt.IV": an episode only where the name is a series' for another reason. */
function readPart(tokens: readonly Token[], at: number): Numbering | undefined {
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

/** "1of6", "01 of 12". */
const readOf: Reader = (tokens, at) => {
  if (!(tokens[at]?.digit ?? false)) return undefined;
  const glued = OF_GLUED.exec(tokens[at]?.key ?? '');
  if (glued !== null && at > 0)
    return { from: fromPart(tokens, at), to: at + 1, seasons: [], episodes: [Number(glued[1])] };
  const plain = /^\d{1,3}$/.test(tokens[at]?.key ?? '') && /^(?:of|из)$/.test(tokens[at + 1]?.key ?? '');
  if (!plain || !/^\d{1,3}$/.test(tokens[at + 2]?.key ?? '') || at === 0) return undefined;
  const before = tokens[at - 1]?.key ?? '';
  const ranged =
    /^\d{1,3}$/.test(before) &&
    RANGES.test(tokens[at]?.sep ?? '') &&
    Number(before) < Number(tokens[at]?.key);
  return {
    from: ranged ? at - 1 : fromPart(tokens, at),
    to: at + 3,
    seasons: [],
    episodes: ranged ? range(Number(before), Number(tokens[at]?.key)) : [Number(tokens[at]?.key)],
  };
};

const fromPart = (tokens: readonly Token[], at: number) =>
  /^(?:part|pt|ep|episode)$/.test(tokens[at - 1]?.key ?? '') && at > 1 ? at - 1 : at;

const LATIN = /^[a-z\d]*$/;
const EAST_ASIAN = /^(?:第(\d{1,2})[季期])?(?:第?(\d{1,4})(?:-(\d{1,4}))?[話话集回화화])?(?:end|完)?$/u;

/** "第05話", "05화", "第2季第3集". */
const readEastAsian: Reader = (tokens, at) => {
  const key = tokens[at]?.key ?? '';
  if (LATIN.test(key)) return undefined;
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

/** The surest first: a name with "S01E02" counts nothing else. */
const READERS: readonly Reader[] = [
  readSxE,
  readX,
  readWords,
  readOf,
  readSeasons,
  readSpanish,
  readEpisodeOnly,
  readEastAsian,
];

const YEAR_LIKE = /^(?:19|20)\d\d$/;

/**
 * Numbers without a word, as fansubs count: "Title - 05", "[05]", "Title 05 [1080p]", and the scene's old "Title.105"
 * before HDTV.
 */
export function absoluteNumbering(
  tokens: readonly Token[],
  start: number,
  sure: readonly Tag[],
  tags: readonly Tag[],
  season: Numbering | undefined,
): Numbering | undefined {
  const wall = Math.min(tokens.length, ...sure.map((tag) => tag.from));
  const place = absoluteAt(tokens, start, wall, tags, season);
  if (place === undefined)
    return season === undefined ? broadcastNumbering(tokens, start, wall, tags) : undefined;
  const { at, to, numbers, version } = place;
  return {
    from: season === undefined ? at : Math.min(at, season.from),
    to: season === undefined ? to : Math.max(to, season.to),
    seasons: season?.seasons ?? [],
    episodes: numbers,
    ...(version !== undefined && { revision: Math.max(0, Number(version) - 1) }),
  };
}

interface Absolute {
  readonly at: number;
  readonly to: number;
  readonly numbers: readonly number[];
  readonly version?: string;
}

/**
 * The scene's old way before a television source: "title.105.hdtv", "Title.Part.Two.HDTV". Elsewhere such a number
 * is the title's own.
 */
function broadcastNumbering(
  tokens: readonly Token[],
  start: number,
  wall: number,
  tags: readonly Tag[],
): Numbering | undefined {
  const isBroadcast = tags.some(({ facts }) => facts.source === 'HDTV' || facts.source === 'TV');
  if (!isBroadcast || tokens.some(({ key }) => YEAR_LIKE.test(key))) return undefined;
  const part = readPart(tokens, wall - 2);
  if (part !== undefined && wall - 2 > start) return part;
  const number = /^(\d{1,2})(\d\d)$/.exec(tokens[wall - 1]?.key ?? '');
  if (number === null || wall - 1 <= start || number[2] === '00') return undefined;
  return { from: wall - 1, to: wall, seasons: [Number(number[1])], episodes: [Number(number[2])] };
}

function absoluteAt(
  tokens: readonly Token[],
  start: number,
  wall: number,
  tags: readonly Tag[],
  season: Numbering | undefined,
): Absolute | undefined {
  for (let at = start + 1; at <= wall && at < tokens.length; at++) {
    if (season !== undefined && at >= season.from && at < season.to) continue;
    // "Title - 720 [480p]": lines only where nothing says that it is an episode.
    const isTag = tags.some((tag) => tag.from <= at && tag.to > at);
    if (isTag && !/^\d{3,4}$/.test(tokens[at]?.key ?? '')) continue;
    const found = numbersOf(tokens, at);
    if (found !== undefined && standsAlone(tokens, found, start, tags)) return found;
  }
  return undefined;
}

const PLAIN = /^#?(\d{1,4})(?:v(\d))?(?:end|fin)?$/;

function numbersOf(tokens: readonly Token[], at: number): Absolute | undefined {
  const match = PLAIN.exec(tokens[at]?.key ?? '');
  if (match === null || YEAR_LIKE.test(match[1] ?? '')) return undefined;
  const first = Number(match[1]);
  const next = PLAIN.exec(tokens[at + 1]?.key ?? '');
  const through = next !== null && /^\s?[-–~]\s?$/.test(tokens[at + 1]?.sep ?? '') && Number(next[1]) > first;
  const with2 = next !== null && /^\s?[&,]\s?$/.test(tokens[at + 1]?.sep ?? '') && Number(next[1]) > first;
  const version = match[2] ?? next?.[2];
  if (through || with2) {
    const last = Number(next[1]);
    const numbers = through ? range(first, last) : [first, last];
    return { at, to: ofTotal(tokens, at + 2), numbers, ...(version !== undefined && { version }) };
  }
  const to = /^(?:end|fin|final)$/.test(tokens[at + 1]?.key ?? '') ? at + 2 : ofTotal(tokens, at + 1);
  return { at, to, numbers: [first], ...(match[2] !== undefined && { version: match[2] }) };
}

function standsAlone(
  tokens: readonly Token[],
  found: Absolute,
  start: number,
  tags: readonly Tag[],
): boolean {
  const [token, next] = [tokens[found.at], tokens[found.to]];
  if (token === undefined) return false;
  const bracket = token.bracket;
  const ended =
    next === undefined ||
    next.bracket?.first === found.to ||
    /\s[-–]\s/.test(next.sep) ||
    /[.\s_]-[.\s_]/.test(next.sep) ||
    tags.some((tag) => tag.from === found.to);
  // "[05]", "(01-12)".
  if (bracket !== undefined && bracket.first === found.at && bracket.end === found.to) {
    return bracket.kind === '[' ? token.key.length > 1 : found.numbers.length > 1;
  }
  if (bracket !== undefined) return false;
  const dashed = /(?:\s|_|\.)[-–](?:\s|_|\.)|^[\])]?\s?[-–]\s$/.test(token.sep);
  if (dashed) return ended;
  // Without a dash only behind a group in front, as the last thing before the brackets.
  const led = start > 0 || token.text.startsWith('#');
  const closed =
    next === undefined ||
    next.bracket?.first === found.to ||
    /\+/.test(next.sep) ||
    tokens[found.to - 1]?.plus === true;
  if (token.text.startsWith('#') && ended) return true;
  if (led && closed && (token.key.length > 1 || token.text.startsWith('#'))) return true;
  return found.numbers.length > 1 && closed && /^\d{2}/.test(token.key);
}
