import type { Fill, Hole, NoFill } from '../fill.ts';
import type { RangedReader } from '../ranged-reader.ts';
import { readOrMiss } from '../stretch.ts';
import { zeros } from '../zeros.ts';

/** Boxes at the top of a file that are walked through; only fragmented files have more than a handful. */
const MAX_BOXES = 256;
/** Size and type, and a size of 64 bits where the first one says so. */
const HEADER = 16;

/**
 * How a hole in an MP4 or QuickTime file is bridged (ISO/IEC 14496-12 §4.2): by zeros, which decoders take for broken
 * samples, when it is wholly in the media data. All else is tables that nothing plays without. Rejects on abort only.
 */
export async function planMp4(hole: Hole, file: RangedReader, signal: AbortSignal): Promise<Fill | NoFill> {
  let start = 0;
  for (let boxes = 0; boxes < MAX_BOXES && start < hole.first; boxes++) {
    const box = await readBox(file, start, hole.first - 1, signal);
    if (box === undefined) break;
    if (box.end > hole.first) {
      const inside = box.type === 'mdat' && box.data <= hole.first && box.end > hole.last;
      return inside ? zeros(hole, 'broken samples') : { refused: `the hole is in the box "${box.type}"` };
    }
    start = box.end;
  }
  return { refused: 'the hole is in no box that is known' };
}

interface Box {
  readonly type: string;
  readonly data: number;
  readonly end: number;
}

/** The box at `start`, by a header of which no byte is after `last`. */
async function readBox(
  file: RangedReader,
  start: number,
  last: number,
  signal: AbortSignal,
): Promise<Box | undefined> {
  const bytes = await readOrMiss(file, start, Math.min(start + HEADER - 1, last), signal);
  if (bytes === undefined || bytes.length < 8) return undefined;
  const type = bytes.toString('latin1', 4, 8);
  if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) return undefined;
  const short = bytes.readUInt32BE(0);
  if (short === 1 && bytes.length < HEADER) return undefined;
  const length = short === 1 ? 16 : 8;
  const size = short === 1 ? Number(bytes.readBigUInt64BE(8)) : short === 0 ? file.size - start : short;
  if (size < length || start + size > file.size) return undefined;
  return { type, data: start + length, end: start + size };
}
