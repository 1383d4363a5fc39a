import { readPart } from './number-words.ts';
import { isBareRange, type Numbering, ofTotal, RANGES, range, YEAR_LIKE } from './numbering.ts';
import type { Tag } from './tags.ts';
import type { Token } from './tokens.ts';

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
    const found = numbersOf(tokens, at, at === season?.to);
    if (found !== undefined && standsAlone(tokens, found, start, tags)) return found;
  }
  return undefined;
}

const PLAIN = /^#?(\d{1,4})(?:v(\d))?(?:end|fin)?$/;

function numbersOf(tokens: readonly Token[], at: number, behindSeason: boolean): Absolute | undefined {
  const match = PLAIN.exec(tokens[at]?.key ?? '');
  if (match === null || YEAR_LIKE.test(match[1] ?? '')) return undefined;
  const first = Number(match[1]);
  const next = PLAIN.exec(tokens[at + 1]?.key ?? '');
  const through = next !== null && runsThrough(tokens, at, behindSeason);
  const with2 =
    next !== null && /^\s?[&,]\s?$/.test(tokens[at + 1]?.sep ?? '') && Number(next[1]) === first + 1;
  const version = match[2] ?? next?.[2];
  if (through || with2) {
    const last = Number(next[1]);
    const numbers = through ? range(first, last) : [first, last];
    return { at, to: ofTotal(tokens, at + 2), numbers, ...(version !== undefined && { version }) };
  }
  const to = /^(?:end|fin|final)$/.test(tokens[at + 1]?.key ?? '') ? at + 2 : ofTotal(tokens, at + 1);
  return { at, to, numbers: [first], ...(match[2] !== undefined && { version: match[2] }) };
}

/** "01-12"; with blanks around the dash where no title's number can stand: "(13 - 24)", "Season 1 13 - 24". */
function runsThrough(tokens: readonly Token[], at: number, behindSeason: boolean): boolean {
  const [first, last] = [tokens[at], tokens[at + 1]];
  if (first === undefined || last === undefined) return false;
  const [from, to] = [PLAIN.exec(first.key)?.[1] ?? '', PLAIN.exec(last.key)?.[1] ?? ''];
  const fills = first.bracket?.first === at && first.bracket.end === at + 2;
  const untitled = fills || (behindSeason && !/[-–]/.test(first.sep));
  return isBareRange(from, last.sep, to) || (untitled && RANGES.test(last.sep) && Number(to) > Number(from));
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
  if (bracket?.first === found.at && bracket.end === found.to) {
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
    next.sep.includes('+') ||
    tokens[found.to - 1]?.plus === true;
  if (token.text.startsWith('#') && ended) return true;
  if (led && closed && (token.key.length > 1 || token.text.startsWith('#'))) return true;
  return found.numbers.length > 1 && closed && /^\d{2}/.test(token.key);
}
