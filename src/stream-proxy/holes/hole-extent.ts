import { findHoleEnd, findLastLost, firstAvailable, type HoleSearch, type Probe } from './hole-end.ts';

export interface HoleExtentSearch extends HoleSearch {
  /** Whether the byte before the hole is known to be there: then an article begins with the hole. */
  readonly startsArticle: boolean;
  /** Asks for all that follows a position; true: it comes, and goes on as the stream. */
  readonly continueFrom: Probe;
}

/**
 * The last lost byte of the hole, exactly; undefined when none can be had up to the limit. Holes lie on the grid of
 * articles, and most are one article long: the stream is begun where that would end, and only if it is lost too, the
 * end is looked for.
 */
export async function findHoleExtent(search: HoleExtentSearch): Promise<number | undefined> {
  const { first, limit, articleSizes: articles, startsArticle, probe, continueFrom: begin } = search;
  const border = first + (articles[0] ?? Infinity);
  if (border > limit || !(await begin(border))) return findHoleEnd(search);
  if (!startsArticle) return (await findHoleEnd({ ...search, limit: border - 1 })) ?? border - 1;
  // Two places of it: a single 404 may be one that passes.
  for (const place of [border - 1, first + Math.floor((border - first) / 2)])
    if (await probe(place)) return findLastLost(search, { lost: first, available: place });
  return border - 1;
}

/**
 * The last lost byte of a hole that was found to reach up to `last` a while ago: each of its articles is looked at. It ends
 * earlier where one has come meanwhile, and where the steps have jumped over one: the last article of a volume may be
 * short.
 */
export async function recheckHoleExtent(search: HoleSearch, last: number): Promise<number> {
  const { first, maxProbes: atOnce, probe } = search;
  const places = articlePositions(search, last);
  for (let at = 0; at < places.length; at += atOnce) {
    const looks = places.slice(at, at + atOnce);
    const there = looks[await firstAvailable(probe, looks)];
    if (there !== undefined)
      return recheckHoleExtent(search, await findLastLost(search, { lost: first, available: there }));
  }
  return last;
}

/** A byte of each article of a hole, and the last one of whatever short article stands before others up to its end. */
function articlePositions({ first, articleSizes: articles }: HoleSearch, last: number): readonly number[] {
  const size = articles[0] ?? Infinity;
  const before = Array.from({ length: Math.floor((last - first) / size) }, (_, at) => last - (at + 1) * size);
  return [...before.reverse(), last].filter((place) => place > first);
}
