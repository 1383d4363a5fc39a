/** Whether the byte at a position can be had. Rejects when that cannot be told. */
export type Probe = (position: number) => Promise<boolean>;

export interface HoleSearch {
  /** A byte that is lost. */
  readonly first: number;
  /** Positions from here on are not looked at, and may be lost as well. */
  readonly limit: number;
  /** How far to look ahead each time; the last step is repeated. Bytes. */
  readonly steps: readonly number[];
  readonly atOnce: number;
  readonly probe: Probe;
}

/**
 * The last lost byte of the hole that begins at `first`: the one before the first that can be had. Undefined when there
 * is none to be had before the limit: then nothing proves that the bytes are lost rather than late.
 */
export async function findHoleEnd(search: HoleSearch): Promise<number | undefined> {
  let lost = search.first;
  for (let step = 0; ; ) {
    const looks: number[] = [];
    for (let at = lost; looks.length < search.atOnce; step++) {
      at += search.steps[Math.min(step, search.steps.length - 1)] ?? 1;
      if (at >= search.limit) break;
      looks.push(at);
    }
    if (looks.length === 0) return undefined;
    const found = await firstThere(search.probe, looks);
    if (found < looks.length) return lastLost(search, looks[found - 1] ?? lost, looks[found] ?? lost);
    lost = looks.at(-1) ?? lost;
  }
}

/** The last position that is lost, between one that is and one that is not. */
async function lastLost({ probe, atOnce }: HoleSearch, lost: number, there: number): Promise<number> {
  let [low, high] = [lost, there];
  while (high - low > 1) {
    const count = Math.min(atOnce, high - low - 1);
    const from = low;
    const part = (high - low) / (count + 1);
    const looks = Array.from({ length: count }, (_, i) => from + Math.max(1, Math.round(part * (i + 1))));
    const found = await firstThere(probe, looks);
    high = looks[found] ?? high;
    low = looks[found - 1] ?? low;
  }
  return low;
}

/** Index of the first position that can be had; the number of positions when none can. */
async function firstThere(probe: Probe, looks: readonly number[]): Promise<number> {
  const there = await Promise.all(looks.map((position) => probe(position)));
  const found = there.indexOf(true);
  return found === -1 ? looks.length : found;
}
