/** Bytes of a block: large, because each read and write of the system costs the same whatever its size. */
export const BLOCK = 1024 * 1024;

/** Free blocks that are kept for the next use; what is beyond goes back to the system. */
const SPARE_BLOCKS = 4;

/** Somebody who holds blocks and can do without some of them. */
export interface Holder {
  /** When it was last used (performance.now()). */
  readonly lastUse: number;
  /** Gives back one block that nobody is reading now; false when there is none. */
  giveOne(): boolean;
}

/** The memory that all sessions share, in blocks: when it is used up, the longest unused holder gives. */
export class BlockPool {
  readonly #holders = new Set<Holder>();
  readonly #spare: Buffer[] = [];
  readonly #most: number;
  #taken = 0;

  /** @param memory Bytes, rounded down to whole blocks. */
  constructor(memory: number) {
    this.#most = Math.floor(memory / BLOCK);
  }

  join(holder: Holder): void {
    this.#holders.add(holder);
  }

  leave(holder: Holder): void {
    this.#holders.delete(holder);
  }

  /** A block for `holder`, of undefined content; undefined while all memory is in use. */
  take(holder: Holder): Buffer | undefined {
    if (this.#taken >= this.#most && !this.#collect(holder)) return undefined;
    this.#taken++;
    // The one that came back last is the likeliest to be in the processor's cache.
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
  }

  give(block: Buffer): void {
    this.#taken--;
    if (this.#spare.length < SPARE_BLOCKS) this.#spare.push(block);
  }

  /** Bytes in use. */
  get used(): number {
    return this.#taken * BLOCK;
  }

  #collect(asking: Holder): boolean {
    const others = [...this.#holders].filter((holder) => holder !== asking);
    return others.sort((a, b) => a.lastUse - b.lastUse).some((holder) => holder.giveOne());
  }
}
