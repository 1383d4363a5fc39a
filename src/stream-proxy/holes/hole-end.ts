/** Whether the byte at a position can be had. Rejects when that cannot be told. */
export type Probe = (position: number) => Promise<boolean>;

export interface HoleSearch {
  /** A byte that is lost. */
  readonly first: number;
  /** The last position that is looked at. */
  readonly limit: number;
  /** How far to look ahead each time; the last step is repeated. Bytes. */
  readonly steps: readonly number[];
  readonly maxProbes: number;
  /** Sizes of articles that the hole may be made of, the likeliest first: its end is looked for on their grid. */
  readonly articleSizes: readonly number[];
  readonly probe: Probe;
}

/**
 * The last lost byte of the hole that begins at `first`: the one before the first that can be had. Undefined when none
 * can be had up to the limit, that one included.
 */
export async function findHoleEnd(search: HoleSearch): Promise<number | undefined> {
  const { first, limit, steps, maxProbes: atOnce, probe } = search;
  let lost = first;
  for (let step = 0; lost < limit; ) {
    const looks: number[] = [];
    for (let at = lost; looks.length < atOnce && at < limit; step++) {
      at = Math.min(limit, at + (steps[Math.min(step, steps.length - 1)] ?? 1));
      looks.push(at);
    }
    const found = await firstAvailable(probe, looks);
    if (found < looks.length)
      return findLastLost(search, { lost: looks[found - 1] ?? lost, available: looks[found] ?? lost });
    lost = looks.at(-1) ?? limit;
  }
  return undefined;
}

/** A position that is lost, and one behind it that is there. */
interface Bounds {
  readonly lost: number;
  readonly available: number;
}

/** The last position that is lost, between one that is and one that is not. */
export async function findLastLost(search: HoleSearch, bounds: Bounds): Promise<number> {
  const { probe, maxProbes: atOnce } = search;
  let { lost: low, available: high } = await narrowToArticleGrid(search, bounds);
  while (high - low > 1) {
    const count = Math.min(atOnce, high - low - 1);
    const from = low;
    const part = (high - low) / (count + 1);
    const looks = Array.from({ length: count }, (_, i) => from + Math.max(1, Math.round(part * (i + 1))));
    const found = await firstAvailable(probe, looks);
    high = looks[found] ?? high;
    low = looks[found - 1] ?? low;
  }
  return low;
}

/**
 * Brings the bounds closer by looks at both sides of the border where an article of each size would end. One after the
 * other: at some servers a look at what is there costs as much as a read (protocols.md §2.6).
 */
async function narrowToArticleGrid(
  { first, articleSizes: articles, probe }: HoleSearch,
  bounds: Bounds,
): Promise<Bounds> {
  let { lost, available: there } = bounds;
  for (const size of articles) {
    const border = first + Math.floor((there - first) / size) * size;
    if (border <= lost || there - lost === 1) continue;
    // What is lost at the border may belong to another hole: then the middle is there.
    const middle = lost + Math.ceil((border - lost) / 2);
    if (border - 1 > lost && (await probe(border - 1))) there = border - 1;
    else if (middle < border && (await probe(middle))) there = middle;
    else if (border === there || (await probe(border))) return { lost: border - 1, available: border };
    else lost = border;
  }
  return { lost, available: there };
}

/** Index of the first position that can be had; the number of positions when none can. */
export async function firstAvailable(probe: Probe, looks: readonly number[]): Promise<number> {
  const there = await Promise.all(looks.map((position) => probe(position)));
  const found = there.indexOf(true);
  return found === -1 ? looks.length : found;
}
