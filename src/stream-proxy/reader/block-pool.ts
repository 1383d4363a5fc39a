/** Bytes of a block: large, because each read and write of the system costs the same whatever its size. */
export const BLOCK = 1024 * 1024;

/** Milliseconds after which a holder counts as unused: whoever plays takes something more often. */
const UNUSED = 10_000;

/** Somebody who holds blocks and can do without some of them. */
export interface Holder {
  /** When it was last used (performance.now()). */
  readonly lastUse: number;
  /** Bytes that it holds. */
  readonly used: number;
  /** Gives back one block that nobody is reading now; false when there is none. */
  giveOne(): boolean;
  /** There may be a block now, after one was refused. */
  roomAgain(): void;
}

/**
 * The memory that all sessions share, in blocks. When it is used up, the longest unused holder gives; one that is in use
 * gives only what it has beyond its share, or films that play at once would fetch again and again what they take from
 * each other.
 */
export class BlockPool {
  readonly #holders = new Set<Holder>();
  readonly #refused = new Set<Holder>();
  readonly #spare: Buffer[] = [];
  #most: number;
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
    this.#refused.delete(holder);
  }

  /** A block for `holder`, of undefined content; undefined while there is none: `roomAgain` then tells. */
  take(holder: Holder): Buffer | undefined {
    // More than one has to go after the memory has become less.
    while (this.#taken >= this.#most) {
      if (this.#collect(holder)) continue;
      this.#refused.add(holder);
      return undefined;
    }
    this.#taken++;
    // The one that came back last is the likeliest to be in the processor's cache.
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
  }

  give(block: Buffer): void {
    this.#taken--;
    // What is let go lies about until the next great collection: as long as anybody plays, it is kept for the next use.
    if (this.#taken === 0) this.#spare.length = 0;
    else if (this.#taken + this.#spare.length < this.#most) this.#spare.push(block);
    if (this.#refused.size > 0)
      setImmediate(() => {
        this.#tell();
      });
  }

  /** Another amount of memory from now on; what is too much is given back when the next block is taken. Bytes. */
  resize(memory: number): void {
    this.#most = Math.floor(memory / BLOCK);
    this.#spare.length = Math.min(this.#spare.length, Math.max(0, this.#most - this.#taken));
    this.#tell();
  }

  /** Bytes in use. */
  get used(): number {
    return this.#taken * BLOCK;
  }

  /** Not while somebody is in the middle of exchanging a block. */
  #tell(): void {
    const refused = [...this.#refused];
    this.#refused.clear();
    for (const holder of refused) holder.roomAgain();
  }

  #collect(asking: Holder): boolean {
    const since = performance.now() - UNUSED;
    const isUnused = ({ lastUse }: Holder) => lastUse < since;
    const all = [...this.#holders];
    const inUse = all.filter((holder) => !isUnused(holder)).length;
    const share = Math.max(BLOCK, (this.#most * BLOCK) / Math.max(1, inUse));
    return all
      .filter((holder) => holder !== asking && (isUnused(holder) || holder.used > share))
      .sort((a, b) => a.lastUse - b.lastUse)
      .some((holder) => holder.giveOne());
  }
}
