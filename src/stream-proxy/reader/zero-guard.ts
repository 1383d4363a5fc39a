import type { Hole } from '../../media/fill-types.ts';
import type { Holes, ZeroRunProbe } from '../holes/holes.ts';
import { firstNonZero, startOfTrailingZeros } from '../holes/zero-run.ts';
import { BLOCK_SIZE } from './block-pool.ts';
import type { BlockCache } from './cache.ts';

export interface ZeroGuardOptions {
  readonly cache: BlockCache;
  readonly holes: Holes;
  readonly findFirstElement: ZeroRunProbe['begin'];
  /** Bytes of the file, and of the shortest row that is looked into. */
  readonly size: number;
  readonly minRun: number;
}

/** Bytes of a row that are waited for at the most; what follows is read by itself, as memory may be short. */
export const MAX_HELD_BACK = 2 * 1024 * 1024;
/** Rows that are known to be the film's own; the oldest are looked into again. */
const MAX_KNOWN = 1000;

/**
 * Holds back rows of zeros, at servers that put them in place of lost articles and say nothing of it, until it is known
 * whether they are the film's own. Costs next to nothing where no zeros are: of each 32 KiB one byte is looked at.
 */
export class ZeroGuard {
  readonly #options: ZeroGuardOptions;
  /** A row of the shortest length holds one such piece of zeros, wherever it begins. */
  readonly #zeroChunk: Buffer;
  #genuineRuns: readonly Hole[] = [];

  constructor(options: ZeroGuardOptions) {
    this.#options = options;
    this.#zeroChunk = Buffer.alloc(Math.floor(options.minRun / 2));
  }

  /**
   * How many of the bytes that are in memory at a position may be given out; 0: none, until more of them have come or
   * `holes` has a verdict on them.
   *
   * @param last The last position that is asked for.
   */
  releasable(position: number, bytes: Uint8Array, last: number): number {
    const { holes } = this.#options;
    const length = Math.min(bytes.length, holes.startAfter(position) - position);
    for (let offset = 0; offset < length; ) {
      const zeros = this.#zerosIn(bytes, offset, length);
      if (zeros === undefined) return length;
      const past = this.#endOfGenuine(position + zeros) ?? this.#judge(position + zeros, last);
      if (past === undefined) return zeros;
      offset = past - position;
    }
    return length;
  }

  /**
   * A body broke off at a position: zeros before it, from another one on, may be a server's in the place of what it
   * could not get (protocols.md §8.11). They are forgotten. Gives where the next read is to begin.
   */
  trustedUntil(from: number, position: number): number {
    const { cache, holes } = this.#options;
    let start = position;
    while (start > from) {
      const block = Math.max(from, Math.floor((start - 1) / BLOCK_SIZE) * BLOCK_SIZE);
      const bytes = cache.peek(block)?.subarray(0, start - block);
      if (bytes?.length !== start - block) break;
      const kept = block + startOfTrailingZeros(bytes);
      start = kept;
      if (kept > block) break;
    }
    if (start === position || holes.stateAt(start) === 'looking') return position;
    cache.removeRange(start, position);
    return start;
  }

  /** Where, from an offset on, zeros begin that may be too many: a whole piece of them, or all up to the end. */
  #zerosIn(bytes: Uint8Array, from: number, length: number): number | undefined {
    const step = this.#zeroChunk.length;
    for (let at = from; at + step <= length; at += step)
      if (bytes[at] === 0 && this.#zeroChunk.compare(bytes, at, at + step) === 0)
        return Math.max(from, startOfTrailingZeros(bytes, at));
    const tail = Math.max(from, startOfTrailingZeros(bytes, length));
    return tail < length ? tail : undefined;
  }

  #endOfGenuine(position: number): number | undefined {
    const known = this.#genuineRuns.find(({ first, last }) => first <= position && position <= last);
    return known === undefined ? undefined : known.last + 1;
  }

  /** The position up to which zeros may be given out; undefined: that is not known yet. */
  #judge(position: number, last: number): number | undefined {
    const { holes, size, minRun: least, findFirstElement: begin } = this.#options;
    if (holes.stateAt(position) !== undefined) return undefined;
    const { end, isOpen } = this.#rowAt(position);
    const isCut = isOpen && end < size && end !== holes.startAfter(position);
    if (end - position < least) return isCut && end <= last ? undefined : end;
    if (isCut && end - position < MAX_HELD_BACK && end <= last) return undefined;
    holes.probeZeroRun(position, end, {
      begin,
      onGenuine: (row) => {
        this.#genuineRuns = [...this.#genuineRuns, row].slice(-MAX_KNOWN);
      },
    });
    return undefined;
  }

  /** Where the zeros end that are in memory from a position on, and whether more of them may follow. */
  #rowAt(position: number): { readonly end: number; readonly isOpen: boolean } {
    const { cache, holes } = this.#options;
    const stop = Math.min(holes.startAfter(position), position + MAX_HELD_BACK);
    let end = position;
    while (end < stop) {
      const bytes = cache.peek(end);
      if (bytes === undefined) return { end, isOpen: true };
      const zeros = firstNonZero(bytes);
      end = Math.min(stop, end + zeros);
      if (zeros < bytes.length) return { end, isOpen: false };
    }
    return { end, isOpen: true };
  }
}
