import type { YieldToLoop } from './wait.ts';

// What arrays do at once, for so many items that everything else would wait too long for it.

/** Items that are compared, or handed on, at a time. */
const CHUNK = 1_024;
/** Items that a caller's function looks at at a time; a look may take a tenth of a millisecond. */
const CALLS_PER_YIELD = 16;

/** The items by what `keyOf` says of each, in the order in which they come. @throws as giveWay */
export async function groupYielding<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  giveWay: YieldToLoop,
): Promise<Map<string, T[]>> {
  const groups = new Map<string, T[]>();
  let seen = 0;
  for (const item of items) {
    if (++seen % CALLS_PER_YIELD === 0) await giveWay();
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** As `items.filter`. @throws as giveWay */
export async function filterYielding<T>(
  items: readonly T[],
  isKept: (item: T) => boolean,
  giveWay: YieldToLoop,
): Promise<T[]> {
  const kept: T[] = [];
  for (let at = 0; at < items.length; at += CALLS_PER_YIELD) {
    await giveWay();
    kept.push(...items.slice(at, at + CALLS_PER_YIELD).filter(isKept));
  }
  return kept;
}

/** As `items.toSorted`: what is equal keeps its order. @throws as giveWay */
export async function sortYielding<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  giveWay: YieldToLoop,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += CHUNK) {
    await giveWay();
    runs.push(items.slice(at, at + CHUNK).sort(compare));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, giveWay));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  giveWay: YieldToLoop,
): Promise<T[]> {
  const merged: T[] = [];
  for (let l = 0, r = 0; l < left.length || r < right.length; ) {
    if (merged.length % CHUNK === 0) await giveWay();
    const [a, b] = [left[l], right[r]];
    const isLeft = r >= right.length || (l < left.length && compare(a as T, b as T) <= 0);
    merged.push((isLeft ? a : b) as T);
    if (isLeft) l++;
    else r++;
  }
  return merged;
}
