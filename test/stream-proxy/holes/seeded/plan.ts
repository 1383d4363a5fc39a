import type { Serving } from '../../../../src/model/index.ts';
import type { Region } from '../../../support/fault-server/index.ts';
import { Random } from '../../../support/random.ts';
import { COMPLETE, FILLING } from '../stage.ts';

export type Container = 'mkv' | 'mp4-front' | 'mp4-tail' | 'ts' | 'opaque';
/** How lost articles show: refused, filled with zeros by the server, refused up to the file's end. */
export type HoleKind = '404' | 'zeros' | 'to the end';

/** One film with holes, and what is read of it. All of it is data. */
export interface HolePlay {
  readonly seed: number;
  readonly container: Container;
  readonly kind: HoleKind;
  /** Bytes, and playing time in seconds. */
  readonly size: number;
  readonly seconds: number;
  readonly holes: readonly Region[];
  readonly serving: Serving;
  /** Milliseconds before each answer of the server. */
  readonly latency: number;
  /** Read one after the other, each from its start on until so much has come. */
  readonly reads: readonly Region[];
}

const MB = 1_000_000;
const SIZES = [716_800, 768_000, 640_000, 512_000, 384_000] as const;
/** What an article is longer by than its bytes, in percent. */
const OVERHEAD = 1.03;
/** The start of the film, without which nothing is prepared. */
const HEAD = 2 * MB;

/** The play of a seed; the same one each time. */
export function planHolePlay(seed: number): HolePlay {
  const random = new Random(seed);
  const kind = random.pick<HoleKind>(['404', '404', 'zeros', 'zeros', 'to the end']);
  const container = random.pick<Container>(
    kind === 'zeros'
      ? ['mkv', 'mkv', 'mp4-front', 'mp4-tail']
      : ['mkv', 'mkv', 'mp4-front', 'mp4-tail', 'ts', 'opaque'],
  );
  const size = random.int(16 * MB, 40 * MB);
  const borders = bordersOf(random, size);
  const holes = holesBetween(random, borders.all, kind);
  const hint = random.pick<number | undefined>([
    undefined,
    borders.usual,
    Math.round(borders.usual * OVERHEAD),
  ]);
  return {
    seed,
    container,
    kind,
    size,
    holes,
    seconds: random.int(10, Math.floor(size / 100_000)),
    serving: {
      ...(kind === 'zeros' ? FILLING : COMPLETE),
      ...(hint !== undefined && { articleBytes: hint }),
    },
    latency: random.chance(0.2) ? random.int(1, 20) : 0,
    reads: readsOf(random, size, holes),
  };
}

/** Where articles end: of one size from the file's start on, anew in each volume, or each of a size of its own. */
function bordersOf(
  random: Random,
  size: number,
): { readonly usual: number; readonly all: readonly number[] } {
  const usual = random.pick(SIZES);
  const shape = random.pick(['plain', 'plain', 'volumes', 'unequal'] as const);
  const volume = shape === 'volumes' ? random.int(3 * MB, 10 * MB) : Infinity;
  const all = [0];
  let ends = volume;
  for (let at = 0; at < size; all.push(at)) {
    const length = shape === 'unequal' ? random.int(400_000, 800_000) : usual;
    at = Math.min(at + length, ends, size);
    if (at === ends) ends += volume;
  }
  return { usual, all };
}

/** One to three rows of one to three lost articles. */
function holesBetween(random: Random, borders: readonly number[], kind: HoleKind): Region[] {
  const holes: Region[] = [];
  const lose = (from: number, to: number) => {
    const [first, end] = [borders[from], borders[to]];
    if (first === undefined || end === undefined || first < HEAD || end <= first) return;
    // An article that can be read lies between two rows.
    const isNear = holes.some((hole) => hole.first <= end && first <= hole.last + 1);
    if (!isNear) holes.push({ first, last: end - 1 });
  };
  const last = borders.length - 1;
  if (kind === 'to the end') lose(last - random.int(1, 3), last);
  for (let rows = kind === 'to the end' ? random.int(0, 1) : random.int(1, 3); rows > 0; rows--) {
    const from = random.int(1, last - 2);
    lose(from, Math.min(last - 1, from + random.pick([1, 1, 2, 3] as const)));
  }
  return holes.sort((a, b) => a.first - b.first);
}

function readsOf(random: Random, size: number, holes: readonly Region[]): Region[] {
  const reads: Region[] = [];
  for (const hole of holes) {
    const first = Math.max(0, hole.first + random.int(-4 * MB, Math.floor((hole.last - hole.first) / 2)));
    reads.push({ first, last: Math.min(size, hole.last + random.int(1, 2 * MB)) - 1 });
    if (random.chance(0.5)) reads.push({ first: random.int(hole.first, hole.last), last: size - 1 });
    if (random.chance(0.3)) reads.push({ first, last: Math.min(size - 1, hole.last + 1) });
  }
  reads.push({ first: random.int(0, size - 1), last: size - 1 });
  return reads;
}
