import type { RangedReader } from './ranged-reader.ts';

/** Bytes of a file that are proven to be lost; both ends inclusive. The byte before and the byte after exist. */
export interface Hole {
  readonly first: number;
  readonly last: number;
}

/** What stands in place of a hole: a repeated pattern with a few pieces laid over it. */
export interface Fill extends Hole {
  /** One line for people: how the hole is bridged. */
  readonly how: string;
  /** The byte at position p is pattern[(p - first) mod pattern.length], where no piece lies. At least one byte. */
  readonly pattern: Uint8Array;
  /** Inside the hole, in order, without overlap. */
  readonly pieces: readonly { readonly at: number; readonly bytes: Uint8Array }[];
}

/** Why a hole must not be filled, in one line. */
export interface FillRefusal {
  readonly refused: string;
}

export type PlanFill = (
  mime: string,
  hole: Hole,
  file: RangedReader,
  signal: AbortSignal,
) => Promise<Fill | FillRefusal>;
