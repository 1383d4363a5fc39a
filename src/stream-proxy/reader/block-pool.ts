/** Bytes of a block: large, because each read and write of the system costs the same whatever its size. */
export const BLOCK_SIZE = 1024 * 1024;

/** Milliseconds after which a holder counts as unused: whoever plays takes something more often. */
const UNUSED_AFTER = 10_000;

/** Somebody who holds blocks and can do without some of them. */
export interface BlockHolder {
  /** When it was last used (performance.now()). */
  readonly lastUse: number;
  /** Bytes that it holds. */
  readonly used: number;
  /** Gives back one block that nobody is reading now; false when there is none. */
  releaseOne(): boolean;
  /** There may be a block now, after one was refused. */
  onRoom(): void;
}

/**
 * The memory that all sessions share, in blocks. When it is used up, the longest unused holder gives; one that is in use
 * gives only what it has beyond its share, or films that play at once would fetch again and again what they take from
 * each other.
 */
export class BlockPool {
  readonly #holders = new Set<BlockHolder>();
  readonly #refused = new Set<BlockHolder>();
  readonly #spare: Buffer[] = [];
  #maxBlocks: number;
  #taken = 0;

  /** @param memory Bytes, rounded down to whole blocks. */
  constructor(memory: number) {
    this.#maxBlocks = Math.floor(memory / BLOCK_SIZE);
  }

  join(holder: BlockHolder): void {
    this.#holders.add(holder);
  }

  leave(holder: BlockHolder): void {
    this.#holders.delete(holder);
    this.#refused.delete(holder);
  }

  /** A block for `holder`, of undefined content; undefined while there is none: `onRoom` tells when there may be one. */
  take(holder: BlockHolder): Buffer | undefined {
    // More than one has to go after the memory has become less.
    while (this.#taken >= this.#maxBlocks) {
      if (this.#reclaim(holder)) continue;
      this.#refused.add(holder);
      return undefined;
    }
    this.#taken++;
    // The one that came back last is the likeliest to be in the processor's cache.
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_SIZE);
  }

  give(block: Buffer): void {
    this.#taken--;
    // What is let go lies about until the next great collection: as long as anybody plays, it is kept for the next use.
    if (this.#taken === 0) this.#spare.length = 0;
    else if (this.#taken + this.#spare.length < this.#maxBlocks) this.#spare.push(block);
    if (this.#refused.size > 0)
      setImmediate(() => {
        this.#notifyRoom();
      });
  }

  /** Another amount of memory from now on; what is too much is given back when the next block is taken. Bytes. */
  resize(memory: number): void {
    this.#maxBlocks = Math.floor(memory / BLOCK_SIZE);
    this.#spare.length = Math.min(this.#spare.length, Math.max(0, this.#maxBlocks - this.#taken));
    this.#notifyRoom();
  }

  /** Bytes in use. */
  get used(): number {
    return this.#taken * BLOCK_SIZE;
  }

  /** Not while somebody is in the middle of exchanging a block. */
  #notifyRoom(): void {
    const refused = [...this.#refused];
    this.#refused.clear();
    for (const holder of refused) holder.onRoom();
  }

  #reclaim(asking: BlockHolder): boolean {
    const since = performance.now() - UNUSED_AFTER;
    const isUnused = ({ lastUse }: BlockHolder) => lastUse < since;
    const all = [...this.#holders];
    const inUse = all.filter((holder) => !isUnused(holder)).length;
    const share = Math.max(BLOCK_SIZE, (this.#maxBlocks * BLOCK_SIZE) / Math.max(1, inUse));
    return all
      .filter((holder) => holder !== asking && (isUnused(holder) || holder.used > share))
      .sort((a, b) => a.lastUse - b.lastUse)
      .some((holder) => holder.releaseOne());
  }
}
