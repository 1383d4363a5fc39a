import type { Fill } from './fill-types.ts';

/**
 * Writes a fill's bytes from file position `first` on into `target`, all of it. Pure: the same position gets the same
 * byte, however the hole is cut into reads.
 * @throws RangeError when `target` reaches beyond the fill.
 */
export function fillBytes(fill: Fill, first: number, target: Uint8Array): void {
  if (first < fill.first || first + target.length - 1 > fill.last)
    throw new RangeError('Bytes outside of a fill.');
  repeat(fill.pattern, (first - fill.first) % fill.pattern.length, target);
  for (const { at, bytes } of fill.pieces) overlay(bytes, at - first, target);
}

/** Fills `target` with the pattern, beginning at `phase` in it; doubles what stands, as short patterns are many. */
function repeat(pattern: Uint8Array, phase: number, target: Uint8Array): void {
  target.set(pattern.subarray(phase, phase + target.length));
  const head = Math.min(pattern.length - phase, target.length);
  target.set(pattern.subarray(0, Math.min(phase, target.length - head)), head);
  for (let done = pattern.length; done < target.length; done *= 2)
    target.copyWithin(done, 0, Math.min(done, target.length - done));
}

/** Lays a piece over `target` from `offset` on, which may be negative; what lies outside is left out. */
function overlay(bytes: Uint8Array, offset: number, target: Uint8Array): void {
  const from = Math.max(0, -offset);
  const to = Math.min(bytes.length, target.length - offset);
  if (from < to) target.set(bytes.subarray(from, to), offset + from);
}
