import { findHoleEnd, firstThere, type HoleSearch, lastLost, type Probe } from './end.ts';

export interface ReachSearch extends HoleSearch {
  /** Whether the byte before the hole is known to be there: then an article begins with the hole. */
  readonly startsArticle: boolean;
  /** Asks for all that follows a position; true: it comes, and goes on as the stream. */
  readonly begin: Probe;
}

/**
 * The last lost byte of the hole, exactly; undefined when none can be had up to the limit. Holes lie on the grid of
 * articles, and most are one article long: the stream is begun where that would end, and only if it is lost too, the
 * end is looked for.
 */
export async function findReach(search: ReachSearch): Promise<number | undefined> {
  const last = await findExtent(search);
  const there = await findShortArticle(search, last);
  return there === undefined ? last : lastLost(search, { lost: search.first, there });
}

async function findExtent(search: ReachSearch): Promise<number | undefined> {
  const { first, limit, articles, startsArticle, probe, begin } = search;
  const border = first + (articles[0] ?? Infinity);
  if (border > limit || !(await begin(border))) return findHoleEnd(search);
  if (!startsArticle) return (await findHoleEnd({ ...search, limit: border - 1 })) ?? border - 1;
  // Two places of it: a single 404 may be one that passes.
  for (const place of [border - 1, first + Math.floor((border - first) / 2)])
    if (await probe(place)) return lastLost(search, { lost: first, there: place });
  return border - 1;
}

/**
 * A byte of a readable article between lost ones, which the steps have jumped over: the last article of a volume may be
 * short. Undefined: there is none.
 */
async function findShortArticle(search: ReachSearch, last: number | undefined): Promise<number | undefined> {
  const { atOnce, probe } = search;
  const places = placesOfShortArticle(search, last);
  for (let at = 0; at < places.length; at += atOnce) {
    const looks = places.slice(at, at + atOnce);
    const found = looks[await firstThere(probe, looks)];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where the others are of one size, it begins on the grid that begins with the hole, or ends on the one that ends with it. */
function placesOfShortArticle(
  { first, limit, articles, startsArticle }: ReachSearch,
  last: number | undefined,
): readonly number[] {
  const length = (last ?? limit) + 1 - first;
  if (articles.some((size) => length % size === 0)) return [];
  const onGrid = articles.flatMap((size) =>
    Array.from({ length: Math.floor(length / size) }, (_, at) => (at + 1) * size),
  );
  const begins = startsArticle ? onGrid.map((from) => first + from) : [];
  const ends = last === undefined ? [] : onGrid.map((from) => last - from);
  return [...new Set([...begins, ...ends])].sort((a, b) => a - b);
}

/** The same after a while, of a hole that was found to reach up to `last`: a 404 that has passed made it too long. */
export async function findReachAnew(search: HoleSearch, last: number): Promise<number> {
  if (last === search.first || !(await search.probe(last))) return last;
  return findReachAnew(search, await lastLost(search, { lost: search.first, there: last }));
}
