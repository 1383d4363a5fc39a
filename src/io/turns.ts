import type { GiveWay } from './wait.ts';

// What arrays do at once, for so many items that everything else would wait too long for it.

/** Items that are compared, or handed on, at a time. */
const PIECE = 1_024;
/** Items that a caller's function looks at at a time; a look may take a tenth of a millisecond. */
const LOOKS = 16;

/** The items by what `keyOf` says of each, in the order in which they come. @throws as giveWay */
export async function groupInTurns<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  giveWay: GiveWay,
): Promise<Map<string, T[]>> {
  const groups = new Map<string, T[]>();
  let seen = 0;
  for (const item of items) {
    if (++seen % LOOKS === 0) await giveWay();
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** As `items.filter`. @throws as giveWay */
export async function filterInTurns<T>(
  items: readonly T[],
  isKept: (item: T) => boolean,
  giveWay: GiveWay,
): Promise<T[]> {
  const kept: T[] = [];
  for (let at = 0; at < items.length; at += LOOKS) {
    await giveWay();
    kept.push(...items.slice(at, at + LOOKS).filter(isKept));
  }
  return kept;
}

/** As `items.toSorted`: what is equal keeps its order. @throws as giveWay */
export async function sortInTurns<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  giveWay: GiveWay,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += PIECE) {
    await giveWay();
    runs.push(items.slice(at, at + PIECE).sort(compare));
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
  giveWay: GiveWay,
): Promise<T[]> {
  const merged: T[] = [];
  for (let l = 0, r = 0; l < left.length || r < right.length; ) {
    if (merged.length % PIECE === 0) await giveWay();
    const [a, b] = [left[l], right[r]];
    const isLeft = r >= right.length || (l < left.length && compare(a as T, b as T) <= 0);
    merged.push((isLeft ? a : b) as T);
    if (isLeft) l++;
    else r++;
  }
  return merged;
}
