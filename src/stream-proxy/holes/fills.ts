import { fillBytes } from '../../media/fill-bytes.ts';
import type { Fill } from '../../media/fill-types.ts';
import { type FillPolicy, maxHoleNow } from '../policy/fills.ts';

/** What stands in place of the lost bytes of one file, so that each read of it gives the same bytes. */
export class Fills {
  /** In order, without overlap. */
  #list: readonly Fill[];

  constructor(fills: readonly Fill[]) {
    this.#list = sorted(fills);
  }

  get list(): readonly Fill[] {
    return this.#list;
  }

  add(fill: Fill): void {
    this.#list = sorted([...this.#list, fill]);
  }

  at(position: number): Fill | undefined {
    return this.#list.find(({ first, last }) => position >= first && position <= last);
  }

  /** The bytes at a position, up to `most`; undefined where the source's own are to be read. */
  bytesAt(position: number, most: number): Uint8Array | undefined {
    const fill = this.at(position);
    if (fill === undefined) return undefined;
    const bytes = Buffer.allocUnsafe(Math.min(most, fill.last - position + 1));
    fillBytes(fill, position, bytes);
    return bytes;
  }

  /** The first position from `position` on that is in none. */
  endAfter(position: number): number {
    const fill = this.at(position);
    return fill === undefined ? position : this.endAfter(fill.last + 1);
  }

  /** The start of the next one after a position; Infinity when there is none. */
  startAfter(position: number): number {
    return this.#list.find(({ first }) => first > position)?.first ?? Infinity;
  }

  /** The end, exclusive, of the last one before a position; 0 when there is none. */
  endBefore(position: number): number {
    return Math.max(0, ...this.#list.filter(({ last }) => last < position).map(({ last }) => last + 1));
  }

  /** Bytes that a hole of a file of so many bytes may have now. */
  maxHole(policy: FillPolicy, size: number): number {
    const bytes = this.#list.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    return maxHoleNow(policy, { bytes, count: this.#list.length }, size);
  }
}

const sorted = (fills: readonly Fill[]): readonly Fill[] => [...fills].sort((a, b) => a.first - b.first);
