import type { Hole } from '../fill-types.ts';
import { pagedReader } from '../paged-reader.ts';
import type { RangedReader } from '../ranged-reader.ts';
import { type Box, boxesIn, readBox } from './boxes.ts';
import { findSample } from './samples.ts';

/** Boxes that hold boxes, as far as padding may stand in them. */
const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'udta', 'edts']);
/** Tables in which no row of zeros means anything. */
const TABLES: ReadonlySet<string> = new Set(['stts', 'stsc', 'stsz', 'stco', 'co64', 'ctts', 'stss']);

/**
 * The first place in a run of zeros at which an MP4 or QuickTime file must begin something: a box, a row of its tables,
 * or a sample that no zeros can begin. Undefined when there is none, or nothing can be told. Rejects on abort only.
 */
export async function findMp4Element(
  run: Hole,
  whole: RangedReader,
  signal: AbortSignal,
): Promise<number | undefined> {
  const file = pagedReader(whole);
  try {
    return await elementIn(run, 0, file.size, file, signal);
  } catch {
    // Its tables cannot be read: nothing can be told by them.
    signal.throwIfAborted();
    return undefined;
  }
}

/** The same among the boxes between two positions. */
async function elementIn(
  run: Hole,
  start: number,
  end: number,
  file: RangedReader,
  signal: AbortSignal,
): Promise<number | undefined> {
  let next = start;
  for await (const box of boxesIn(file, start, end, signal)) {
    next = box.end;
    if (box.end <= run.first) continue;
    if (box.start > run.last) return undefined;
    const inside = await elementInBox(box, run, file, signal);
    if (inside !== undefined) return inside;
  }
  // No box begins where the last one ends.
  return next < end && next >= run.first && next <= run.last ? next : undefined;
}

async function elementInBox(
  box: Box,
  run: Hole,
  file: RangedReader,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (CONTAINERS.has(box.type)) return elementIn(run, box.data, box.end, file, signal);
  if (TABLES.has(box.type)) return Math.max(run.first, box.data);
  if (box.type !== 'mdat') return undefined;
  const moov = await movieOf(file, signal);
  const inside = { first: Math.max(run.first, box.data), last: Math.min(run.last, box.end - 1) };
  // Where the index is lost as well, nothing plays, and nothing speaks for the zeros.
  return moov === undefined ? inside.first : findSample(inside, moov, file, signal);
}

async function movieOf(file: RangedReader, signal: AbortSignal): Promise<Box | undefined> {
  for (let at = 0, count = 0; count < MAX_TOP_BOXES; count++) {
    const box = await readBox(file, at, file.size - 1, signal);
    if (box === undefined || box.type === 'moov') return box;
    at = box.end;
  }
  return undefined;
}

/** Boxes that stand before it. */
const MAX_TOP_BOXES = 64;
