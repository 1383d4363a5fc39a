import type { Hole } from '../../media/fill-types.ts';
import type { RangedReader } from '../../media/ranged-reader.ts';

/** Bytes that are read at first; each further read takes twice as many, up to the most. */
const STEP = 64 * 1024;
const MAX_STEP = 1024 * 1024;

/** The offset of the first byte from an offset on that is not zero; the length when there is none. */
export function firstNonZero(bytes: Uint8Array, from = 0): number {
  let at = from;
  while (bytes.length - at >= STEP && ZEROS.compare(bytes, at, at + STEP) === 0) at += STEP;
  while (at < bytes.length && bytes[at] === 0) at++;
  return at;
}

/** The offset behind the last byte, before an offset, that is not zero; 0 when there is none. */
export function startOfTrailingZeros(bytes: Uint8Array, end = bytes.length): number {
  let at = end;
  while (at > 0 && bytes[at - 1] === 0) at--;
  return at;
}

const ZEROS = Buffer.alloc(STEP);

/**
 * The whole row of zeros of which a part is known. Not looked beyond `from` and `to` (exclusive). Rejects when the file
 * cannot be read around it.
 */
export async function findZeroRun(
  file: RangedReader,
  known: Hole,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<Hole> {
  let { first, last } = known;
  for (let step = STEP; first > from; step = nextStep(step)) {
    const start = Math.max(from, first - step);
    const kept = startOfTrailingZeros(await file.read(start, first - 1, signal));
    first = start + kept;
    if (kept > 0) break;
  }
  const end = Math.min(to, file.size);
  for (let step = STEP; last + 1 < end; step = nextStep(step)) {
    const start = last + 1;
    const bytes = await file.read(start, Math.min(start + step, end) - 1, signal);
    const length = firstNonZero(bytes);
    last = start + length - 1;
    if (length < bytes.length) break;
  }
  return { first, last };
}

const nextStep = (step: number): number => Math.min(step * 2, MAX_STEP);
