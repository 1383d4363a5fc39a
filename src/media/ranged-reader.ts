/** A file of which any part can be had, each at a price. */
export interface RangedReader {
  readonly size: number;
  /** The bytes from first to last, both inclusive, all of them. Rejects when they cannot be had, or on abort. */
  read(first: number, last: number, signal: AbortSignal): Promise<Uint8Array>;
}
