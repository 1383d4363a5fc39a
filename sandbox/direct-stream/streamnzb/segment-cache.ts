/** Articles that were fetched, in memory: what was used longest ago goes first. */
export class SegmentCache {
  /** Bytes by key, in the order of use. */
  readonly #kept = new Map<string, number>();
  #bytes = 0;

  /** Whether it is there; that it was asked for counts as a use. */
  has(key: string): boolean {
    const bytes = this.#kept.get(key);
    if (bytes === undefined) return false;
    this.#kept.delete(key);
    this.#kept.set(key, bytes);
    return true;
  }

  /** @param limit so many bytes are kept at the most */
  keep(key: string, bytes: number, limit: number): void {
    if (this.has(key)) return;
    this.#kept.set(key, bytes);
    this.#bytes += bytes;
    for (const [oldest, size] of this.#kept) {
      if (this.#bytes <= limit) return;
      this.#kept.delete(oldest);
      this.#bytes -= size;
    }
  }
}
