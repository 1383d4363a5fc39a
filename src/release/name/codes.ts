import {
  digits,
  EPISODE,
  EPISODE_WORDS,
  JOINS,
  MAX_NUMBERS,
  NUMBER,
  type Numbering,
  type NumberingReader,
  ofTotal,
  RANGES,
  range,
  S,
  sorted,
  T,
  TIGHT,
} from './numbering.ts';
import type { Token } from './tokens.ts';

/** "S01E02x264" is one episode and a codec. */
const SXE = /^[st](\d{1,4})((?:x?[ex]p?\d{1,4})+?)([a-d])?(?:v(\d))?(?:[xh]26[3-6])?$/;
const SEASON = /^se?(\d{1,4})$/;
const SEASON_RUN = /^(?:s\d{1,2}){2,}$/;
/** "1x02"; no shape of a picture. */
const X = /^(?!(?:16|21)x9$)(\d{1,2}|20[0-3]\d(?=x\d\d$))x(\d{1,3})((?:x\d{1,3})*)(?:v(\d))?$/;

/** "S4-24" is the 24th of the season; in as many digits as the season ("S01-03") the number is another season's. */
const ONE_DIGIT_SEASON = /^s\d$/;
const TWO_DIGITS = /^(\d\d)(?:v(\d))?$/;

/** "S01E02", with all that may follow: "E03", "-E05", "-05", ".S01E03". */
export const readSxE: NumberingReader = (tokens, at) => {
  const token = tokens[at];
  const initial = token?.key.charCodeAt(0);
  if (initial !== S && initial !== T) return undefined;
  const whole = SXE.exec(token?.key ?? '');
  if (whole !== null)
    return readFurtherEpisodes(tokens, at, at + 1, Number(whole[1]), digits(whole[2] ?? ''), whole[4]);
  const alone = SEASON.exec(token?.key ?? '')?.[1];
  if (alone === undefined) return undefined;
  const next = tokens[at + 1];
  const glued = ONE_DIGIT_SEASON.test(token?.key ?? '') && TIGHT.test(next?.sep ?? '');
  const bare = glued ? TWO_DIGITS.exec(next?.key ?? '') : null;
  if (bare !== null)
    return readFurtherEpisodes(tokens, at, at + 2, Number(alone), [Number(bare[1])], bare[2]);
  const episode = EPISODE.exec(next?.key ?? '');
  if (episode !== null && /^[\s._-]{0,3}$|^\s?[-\]) ]{1,3}[[(]?$/.test(next?.sep ?? '')) {
    const numbers = [Number(episode[1]), ...digits(episode[2] ?? '')];
    return readFurtherEpisodes(tokens, at, at + 2, Number(alone), numbers, episode[3]);
  }
  const number = NUMBER.exec(tokens[at + 2]?.key ?? '');
  if (number !== null && EPISODE_WORDS.has(next?.key ?? '')) {
    return readFurtherEpisodes(tokens, at, at + 3, Number(alone), [Number(number[1])], number[2]);
  }
  return undefined;
};

/** Reads on behind the first episode. */
export function readFurtherEpisodes(
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
    if (more !== null && isFurther(token, Number(more[1]) === season)) {
      const numbers = digits(more[2] ?? '');
      if (Number(more[1]) === season && RANGES.test(token.sep) && (numbers[0] ?? 0) > last) {
        for (const one of range(last, numbers[0] ?? last)) episodes.add(one);
      }
      for (const one of numbers) episodes.add(one);
      seasons.add(Number(more[1]));
    } else if (token.key === 'to' && through !== null) {
      for (const one of range(last, Number(through[1]))) episodes.add(one);
      to++;
    } else if (another !== null && isNext(token, Number(another[1]), last)) {
      const next = Number(another[1]);
      if (/[-–~]/.test(token.sep)) for (const one of range(last, next)) episodes.add(one);
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

/** A code goes on with the one before it; one of another season only behind a dash ("S01E01-S02E24"). */
const isFurther = ({ sep }: Token, sameSeason: boolean) =>
  /^[\s._-]{0,3}$/.test(sep) && (sameSeason || sep.includes('-'));

/** "E03" goes on with the episodes behind a dash, a comma or "&"; without them only when it is the very next. */
function isNext({ key, sep }: Token, number: number, last: number): boolean {
  // "S02E06.eps2.4.m4ster": a title.
  if (!/^ep?\d/.test(key) || !/^[\s._&,–~-]{0,3}$/.test(sep)) return false;
  return /[&,–~-]/.test(sep) ? number > last : number === last + 1;
}

/**
 * A bare number goes on with the episodes only when it is joined to them and larger: "S01E01-03", "S01E01+02". Behind a
 * dash with blanks it is a title ("S01E01 - 33").
 */
function continues(tokens: readonly Token[], at: number, last: number, plus: boolean): boolean {
  const token = tokens[at];
  if (token === undefined || !/^\d{1,3}(?:v\d)?$/.test(token.key)) return false;
  const value = Number.parseInt(token.key, 10);
  if (value <= last || value - last > 200 || !isSpeltAlike(tokens[at - 1], token.key)) return false;
  return JOINS.test(token.sep) || (plus && token.sep === '');
}

/** Behind "E06" stands "07", and no "101": leading zeros fill all numbers of a range to one length. */
function isSpeltAlike(before: Token | undefined, number: string): boolean {
  const first = /(\d+)(?:v\d)?$/.exec(before?.key ?? '')?.[1] ?? '';
  const digits = /^\d+/.exec(number)?.[0] ?? '';
  return first.length === digits.length || !(first.startsWith('0') || digits.startsWith('0'));
}

/** "1x02", "1x02x03", "1x02-03", "1x02-1x03". */
export const readX: NumberingReader = (tokens, at) => {
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
    const isMore = more !== null && Number(more[1]) === season && Number(more[2]) > last;
    if (isMore && /^[\s._&-]{1,3}$/.test(sep)) {
      if (RANGES.test(sep)) for (const one of range(last, Number(more[2]))) episodes.add(one);
      episodes.add(Number(more[2]));
    } else if (NUMBER.test(tokens[to]?.key ?? '') && continues(tokens, to, last, false)) {
      for (const one of range(last, Number.parseInt(tokens[to]?.key ?? '', 10))) episodes.add(one);
    } else break;
  }
  return { from: at, to: ofTotal(tokens, to), seasons: [season], episodes: sorted(episodes) };
};

/** "S01", "S01-S03", "S01S02", "S01+S02". */
export const readSeasons: NumberingReader = (tokens, at) => {
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
    if (next !== undefined && /^[\s._&+,~–-]{0,3}$/.test(token?.sep ?? '')) {
      for (const one of RANGES.test(token?.sep ?? '') ? range(last, Number(next)) : [Number(next)])
        seasons.add(one);
    } else if (behind !== undefined) {
      for (const one of token?.key.startsWith('t') ? range(last, Number(behind)) : [Number(behind)])
        seasons.add(one);
      to++;
    } else if (bare !== undefined && TIGHT.test(token?.sep ?? '') && Number(bare) > last) {
      for (const one of range(last, Number(bare))) seasons.add(one);
    } else break;
  }
  const specials = tokens[to]?.key === 'specials' && /[+&]/.test(tokens[to]?.sep ?? '');
  if (specials) seasons.add(0);
  return { from: at, to: specials ? to + 1 : ofTotal(tokens, to), seasons: sorted(seasons), episodes: [] };
};
