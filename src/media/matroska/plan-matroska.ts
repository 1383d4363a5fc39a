import type { Fill, FillRefusal, Hole } from '../fill-types.ts';
import type { RangedReader } from '../ranged-reader.ts';
import { WorkBudget, WorkBudgetExceeded } from '../work-budget.ts';
import { zeroFill } from '../zero-fill.ts';
import {
  findHolePosition,
  type HoleContext,
  type HolePosition,
  MAX_WORK_STEPS,
  openSegment,
  type PositionResult,
} from './hole-position.ts';
import { INFO, TRACKS } from './ids.ts';
import { fillWithVoids } from './void-fill.ts';

/**
 * How a hole in a Matroska or WebM file is bridged (RFC 8794, RFC 9559). Refused when the hole takes away what nothing
 * plays without: the EBML header, the Segment's Info or its Tracks; and when finding out takes more work than in any
 * film. Rejects on abort only.
 */
export async function planMatroskaFill(
  hole: Hole,
  file: RangedReader,
  signal: AbortSignal,
): Promise<Fill | FillRefusal> {
  const segment = await openSegment(file, hole.first - 1, signal);
  if (segment === undefined) return { refused: 'the Matroska header is not there' };
  try {
    return await planIn({ file, hole, segment, signal, work: new WorkBudget(MAX_WORK_STEPS, signal) });
  } catch (error) {
    if (error instanceof WorkBudgetExceeded) return { refused: error.message };
    throw error;
  }
}

async function planIn(search: HoleContext): Promise<Fill | FillRefusal> {
  const { hole } = search;
  const found = await findHolePosition(search);
  if (hitsHeader(found, hole)) return { refused: 'the hole is in the head of the Matroska file' };
  if (found.place === undefined) return zeroFill(hole, 'no element leads to it');
  return await fillWithVoids(search, found.place);
}

/** Whether Info or Tracks are in the hole, or may be. */
function hitsHeader({ place, passed }: PositionResult, hole: Hole): boolean {
  if (place?.levels.some(({ id }) => id === INFO || id === TRACKS) === true) return true;
  if (passed === undefined || (passed.has(INFO) && passed.has(TRACKS))) return false;
  return place === undefined || !isInside(place, hole);
}

/** Whether the hole is inside of one element: it takes nothing of those that follow. */
function isInside({ levels, cut }: HolePosition, hole: Hole): boolean {
  const ends = [...levels.slice(1).map(({ end }) => end), cut.kind === 'content' ? cut.end : undefined];
  return ends.some((end) => end !== undefined && end > hole.last);
}
