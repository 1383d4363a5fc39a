import type { Hole } from '../fill-types.ts';
import type { RangedReader } from '../ranged-reader.ts';
import { readIfAvailable } from '../read-around.ts';
import { WorkBudget, WorkBudgetExceeded } from '../work-budget.ts';
import { type Header, MAX_HEADER, readHeader } from './ebml.ts';
import {
  type CutElement,
  findHolePosition,
  type HoleContext,
  type HolePosition,
  MAX_WORK_STEPS,
  openSegment,
} from './hole-position.ts';
import { isMaster } from './ids.ts';

/**
 * The first place in a run of zeros at which a Matroska or WebM file must begin an element: no id begins with a zero
 * (RFC 8794 §5). Undefined when there is none, as inside of an element's content, or nothing can be told. Rejects on
 * abort only.
 */
export async function findMatroskaElement(
  run: Hole,
  file: RangedReader,
  signal: AbortSignal,
): Promise<number | undefined> {
  const segment = await openSegment(file, run.first - 1, signal);
  if (segment === undefined) return undefined;
  const place = await holePositionOf({
    file,
    hole: run,
    segment,
    signal,
    work: new WorkBudget(MAX_WORK_STEPS, signal),
  });
  const next = place && (await nextElement(place.cut, run, file, signal));
  if (next === undefined || next > run.last || next >= (segment.level.end ?? file.size)) return undefined;
  return Math.max(next, run.first);
}

async function holePositionOf(search: HoleContext): Promise<HolePosition | undefined> {
  try {
    return (await findHolePosition(search)).place;
  } catch (error) {
    if (error instanceof WorkBudgetExceeded) return undefined;
    throw error;
  }
}

/** Where the element that the run cuts is followed by the next one, or holds its first child. */
async function nextElement(
  cut: CutElement,
  run: Hole,
  file: RangedReader,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (cut.kind === 'nothing') return run.first;
  if (cut.kind === 'content') return cut.end;
  // Its size may end in zeros by itself: it is believed where another element follows.
  const header = await headerAt(cut.start, file, signal);
  if (header === undefined) return run.first;
  const data = cut.start + header.length;
  if (header.size === undefined || isMaster(header.id)) return data;
  const end = data + header.size;
  const isFollowed = end <= run.last || end >= file.size || (await headerAt(end, file, signal)) !== undefined;
  return isFollowed ? end : run.first;
}

async function headerAt(start: number, file: RangedReader, signal: AbortSignal): Promise<Header | undefined> {
  const bytes = await readIfAvailable(file, start, Math.min(start + MAX_HEADER, file.size) - 1, signal);
  const header = bytes && readHeader(bytes, 0);
  return typeof header === 'object' ? header : undefined;
}
