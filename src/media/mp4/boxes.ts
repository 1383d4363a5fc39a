// The boxes of MP4 and QuickTime (ISO/IEC 14496-12 §4.2).
import type { RangedReader } from '../ranged-reader.ts';
import { readIfAvailable } from '../read-around.ts';

/** Size and type, and a size of 64 bits where the first one says so. */
const HEADER = 16;

export interface Box {
  readonly type: string;
  readonly start: number;
  readonly data: number;
  readonly end: number;
}

/** The box at `start`, by a header of which no byte is after `last`; undefined when there is none. Rejects on abort only. */
export async function readBox(
  file: RangedReader,
  start: number,
  last: number,
  signal: AbortSignal,
): Promise<Box | undefined> {
  const bytes = await readIfAvailable(file, start, Math.min(start + HEADER - 1, last), signal);
  if (bytes === undefined || bytes.length < 8) return undefined;
  const type = bytes.toString('latin1', 4, 8);
  if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) return undefined;
  const short = bytes.readUInt32BE(0);
  if (short === 1 && bytes.length < HEADER) return undefined;
  const length = short === 1 ? 16 : 8;
  const size = short === 1 ? Number(bytes.readBigUInt64BE(8)) : short === 0 ? file.size - start : short;
  if (size < length || start + size > file.size) return undefined;
  return { type, start, data: start + length, end: start + size };
}

/** Only fragmented files have more than a handful in one place. */
const MAX_BOXES = 256;

/** The boxes from `start` up to `end`, in order, for as long as they follow each other. */
export async function* boxesIn(
  file: RangedReader,
  start: number,
  end: number,
  signal: AbortSignal,
): AsyncGenerator<Box, void> {
  for (let at = start, count = 0; at < end && count < MAX_BOXES; count++) {
    const box = await readBox(file, at, end - 1, signal);
    if (box === undefined || box.end > end) return;
    yield box;
    at = box.end;
  }
}
