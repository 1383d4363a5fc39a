// Files with holes in them, for the tests of how they are bridged.

import { fillBytes } from '../../src/media/fill-bytes.ts';
import type { Fill, FillRefusal, Hole } from '../../src/media/fill-types.ts';
import { planFill } from '../../src/media/plan-fill.ts';
import type { RangedReader } from '../../src/media/ranged-reader.ts';

/** Bytes by position; `end` is not included. */
export interface File {
  readonly size: number;
  read(start: number, end: number): Uint8Array;
}

export const inMemory = (bytes: Uint8Array): File => ({
  size: bytes.length,
  read: (start, end) => bytes.subarray(start, end),
});

export interface Reads {
  count: number;
  bytes: number;
}

/** A reader that refuses what touches a hole, and counts. */
export function around(
  file: File,
  holes: readonly Hole[],
  reads: Reads = { count: 0, bytes: 0 },
): RangedReader {
  return {
    size: file.size,
    read(first, last, signal) {
      signal.throwIfAborted();
      reads.count += 1;
      reads.bytes += last - first + 1;
      if (first < 0 || last < first || last >= file.size)
        return Promise.reject(new RangeError(`${first}-${last}`));
      const missing = holes.some((hole) => hole.first <= last && first <= hole.last);
      return missing ? Promise.reject(new Error('missing')) : Promise.resolve(file.read(first, last + 1));
    },
  };
}

export const plan = (mime: string, file: File, hole: Hole, reads?: Reads): Promise<Fill | FillRefusal> =>
  planFill(mime, hole, around(file, [hole], reads), new AbortController().signal);

/** The fill's bytes in one piece. */
export function wholeFill(fill: Fill): Uint8Array {
  const bytes = new Uint8Array(fill.last - fill.first + 1);
  fillBytes(fill, fill.first, bytes);
  return bytes;
}

/** A copy of the file in which the hole is filled. */
export function patched(bytes: Uint8Array, fill: Fill): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(wholeFill(fill), fill.first);
  return copy;
}

/** Numbers by a seed (mulberry32), from 0 up to, not including, `below`. */
export function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) % below;
  };
}
