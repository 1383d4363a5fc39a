import { chainEnd, type Tag, type TokenSpan } from './tags.ts';
import type { Token } from './tokens.ts';

const YEAR = /^(?:19|20)\d\d$/;
const FIRST_YEAR = 1888;
/** Names speak of what is to come, but not of what comes later than this. */
const LAST_YEAR = new Date().getFullYear() + 2;

/** The year, and its place when it ends the title. */
export function yearsOf(
  tokens: readonly Token[],
  start: number,
  taken: readonly (TokenSpan | undefined)[],
  anchors: readonly TokenSpan[],
  tags: readonly Tag[],
): { year?: number; span?: TokenSpan } {
  const free: number[] = [];
  tokens.forEach(({ key, digit }, at) => {
    if (!digit || !YEAR.test(key) || Number(key) < FIRST_YEAR || Number(key) > LAST_YEAR) return;
    if (!taken.some((span) => span && at >= span.from && at < span.to)) free.push(at);
  });
  if (free.length === 0) return {};
  const wall = Math.min(tokens.length, ...anchors.map((span) => span.from).filter((at) => at > start));
  const before = free.filter((at) => at > start && at < wall);
  const bracketed = before.filter((at) => isAlone(tokens, at));
  const place = bracketed.at(-1) ?? firstOfRange(tokens, before);
  if (place !== undefined) return { year: Number(tokens[place]?.key), span: { from: place, to: place + 1 } };
  const numbers = taken.filter((span) => span !== undefined);
  const behind = free.find(
    (at) =>
      at > wall &&
      (isAlone(tokens, at) || numbers.length === 0 || numbers.some((span) => chainEnd(tags, span.to) === at)),
  );
  if (behind !== undefined) return { year: Number(tokens[behind]?.key) };
  const first = free.find((at) => at === start);
  // "(2010) Title".
  const inBrackets = first !== undefined && tokens[first]?.bracket !== undefined;
  return inBrackets ? { year: Number(tokens[first]?.key) } : {};
}

/** The last year before the tags; of "2010-2015" the first. */
function firstOfRange(tokens: readonly Token[], places: readonly number[]): number | undefined {
  const last = places.at(-1);
  const other = places.at(-2);
  if (last === undefined || other !== last - 1) return last;
  return /^\s?[-–]\s?$/.test(tokens[last]?.sep ?? '') &&
    Number(tokens[other]?.key) <= Number(tokens[last]?.key)
    ? other
    : last;
}

const isAlone = (tokens: readonly Token[], at: number) => {
  const bracket = tokens[at]?.bracket;
  return bracket?.first === at;
};
