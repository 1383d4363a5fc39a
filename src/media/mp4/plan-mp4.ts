import type { Fill, FillRefusal, Hole } from '../fill-types.ts';
import type { RangedReader } from '../ranged-reader.ts';
import { zeroFill } from '../zero-fill.ts';
import { readBox } from './boxes.ts';

/** Boxes at the top of a file that are walked through; only fragmented files have more than a handful. */
const MAX_BOXES = 256;

/**
 * How a hole in an MP4 or QuickTime file is bridged (ISO/IEC 14496-12 §4.2): by zeros, which decoders take for broken
 * samples, when it is wholly in the media data. All else is tables that nothing plays without. Rejects on abort only.
 */
export async function planMp4Fill(
  hole: Hole,
  file: RangedReader,
  signal: AbortSignal,
): Promise<Fill | FillRefusal> {
  let start = 0;
  for (let boxes = 0; boxes < MAX_BOXES && start < hole.first; boxes++) {
    const box = await readBox(file, start, hole.first - 1, signal);
    if (box === undefined) break;
    if (box.end > hole.first) {
      const inside = box.type === 'mdat' && box.data <= hole.first && box.end > hole.last;
      return inside ? zeroFill(hole, 'broken samples') : { refused: `the hole is in the box "${box.type}"` };
    }
    start = box.end;
  }
  return { refused: 'the hole is in no box that is known' };
}
