import { BLOCK, type BlockPool, type Holder } from './block-pool.ts';

/** A stretch of a file in memory. It holds one run of bytes, without gaps. */
export class Block {
  readonly index: number;
  readonly buffer: Buffer;
  /** Offsets in the buffer between which there are bytes; `to` is exclusive. */
  readonly from: number;
  to: number;
  /** Who is reading from it or writing to it; until they have ended, its memory is not used again. */
  pins = 0;
  /** Whether it has been taken out of the cache. */
  dropped = false;
  /** Grows with each use of the cache: tells which of two blocks was used later. */
  stamp = 0;

  constructor(index: number, buffer: Buffer, from: number) {
    this.index = index;
    this.buffer = buffer;
    this.from = from;
    this.to = from;
  }

  /** Position in the file of the buffer's start. */
  get start(): number {
    return this.index * BLOCK;
  }

  has(position: number): boolean {
    const offset = position - this.start;
    return offset >= this.from && offset < this.to;
  }
}

/** Bytes on loan: they stay as they are until released. */
export interface Loan {
  readonly bytes: Uint8Array;
  release(): void;
}

/** How dear a block is; the cheapest goes first, and only for something dearer. */
export type Worth = (block: Block) => number;

export interface CacheOptions {
  readonly pool: BlockPool;
  /** Bytes at most. */
  readonly limit: number;
  readonly worth: Worth;
}

/** The parts of one file that are in memory, by block. */
export class Cache implements Holder {
  lastUse = performance.now();
  readonly #pool: BlockPool;
  readonly #most: number;
  readonly #worth: Worth;
  readonly #blocks = new Map<number, Block>();
  #uses = 0;

  constructor({ pool, limit, worth }: CacheOptions) {
    this.#pool = pool;
    this.#most = Math.max(2, Math.floor(limit / BLOCK));
    this.#worth = worth;
    pool.join(this);
  }

  /** Bytes of memory in use. */
  get used(): number {
    return this.#blocks.size * BLOCK;
  }

  has(position: number): boolean {
    return this.#at(position)?.has(position) === true;
  }

  /** The bytes at a position, as many as stand together; undefined when there are none. */
  lend(position: number): Loan | undefined {
    const block = this.#at(position);
    if (block?.has(position) !== true) return undefined;
    this.lastUse = performance.now();
    block.pins++;
    block.stamp = ++this.#uses;
    let lent = true;
    return {
      bytes: block.buffer.subarray(position - block.start, block.to),
      release: () => {
        if (lent) this.unpin(block);
        lent = false;
      },
    };
  }

  /** The first position from `position` on that is not in memory. */
  gapAfter(position: number): number {
    let gap = position;
    for (let block = this.#at(gap); block?.has(gap) === true; block = this.#at(gap))
      gap = block.start + block.to;
    return gap;
  }

  /**
   * The block in which the byte at `position` is to be written next, pinned: the one whose bytes end there, or a new
   * one. "met": the byte is there already. Undefined: there is no memory now.
   */
  blockFor(position: number): Block | 'met' | undefined {
    const index = Math.floor(position / BLOCK);
    const there = this.#blocks.get(index);
    if (there?.has(position) === true) return 'met';
    const offset = position - index * BLOCK;
    if (there?.to === offset) {
      there.pins++;
      return there;
    }
    if (there !== undefined) this.#drop(there);
    return this.#add(index, offset);
  }

  /** Ends what `blockFor` or a loan began. */
  unpin(block: Block): void {
    block.pins--;
    if (block.dropped && block.pins === 0) this.#pool.give(block.buffer);
  }

  /** Puts bytes into the cache, as far as there is memory. */
  put(position: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.byteLength; ) {
      const block = this.blockFor(position + done);
      if (block === undefined || block === 'met') return;
      const part = bytes.subarray(done, done + BLOCK - block.to);
      block.buffer.set(part, block.to);
      block.to += part.byteLength;
      done += part.byteLength;
      this.unpin(block);
    }
  }

  giveOne(): boolean {
    return this.#giveCheaperThan(Infinity);
  }

  /** Lets go of the block that holds the position, if there is one. */
  forget(position: number): void {
    const block = this.#at(position);
    if (block?.pins === 0) this.#drop(block);
  }

  /** Lets go of everything; what is being read or written stays usable until it is released. */
  clear(): void {
    for (const block of this.#blocks.values()) this.#drop(block);
  }

  /** Lets go of everything, for good. */
  close(): void {
    this.clear();
    this.#pool.leave(this);
  }

  #at(position: number): Block | undefined {
    return this.#blocks.get(Math.floor(position / BLOCK));
  }

  #add(index: number, offset: number): Block | undefined {
    const worth = this.#worth(new Block(index, NO_BUFFER, offset));
    if (this.#blocks.size >= this.#most && !this.#giveCheaperThan(worth)) return undefined;
    let buffer = this.#pool.take(this);
    if (buffer === undefined && this.#giveCheaperThan(worth)) buffer = this.#pool.take(this);
    if (buffer === undefined) return undefined;
    const block = new Block(index, buffer, offset);
    block.pins++;
    block.stamp = ++this.#uses;
    this.#blocks.set(index, block);
    return block;
  }

  #giveCheaperThan(limit: number): boolean {
    let cheapest: Block | undefined;
    let price = limit;
    for (const block of this.#blocks.values()) {
      if (block.pins > 0) continue;
      const worth = this.#worth(block);
      if (worth >= price) continue;
      cheapest = block;
      price = worth;
    }
    if (cheapest === undefined) return false;
    this.#drop(cheapest);
    return true;
  }

  #drop(block: Block): void {
    this.#blocks.delete(block.index);
    block.dropped = true;
    if (block.pins === 0) this.#pool.give(block.buffer);
  }
}

const NO_BUFFER = Buffer.alloc(0);
