import { BLOCK_SIZE, type BlockHolder, type BlockPool } from './block-pool.ts';

/** Offsets in a block between which there are bytes; `to` is exclusive. */
interface ByteRun {
  readonly from: number;
  to: number;
}

/** A stretch of a file in memory, of which any parts may be there. */
export class Block {
  readonly index: number;
  readonly buffer: Buffer;
  /** Who is reading from it or writing to it; until they have ended, its memory is not used again. */
  pins = 0;
  /** Whether it has been taken out of the cache. */
  dropped = false;
  /** Grows with each use of the cache: tells which of two blocks was used later. */
  lastUsed = 0;
  /** In order, with gaps between them. Nearly always one. */
  #runs: ByteRun[] = [];

  constructor(index: number, buffer: Buffer) {
    this.index = index;
    this.buffer = buffer;
  }

  /** Position in the file of the buffer's start. */
  get start(): number {
    return this.index * BLOCK_SIZE;
  }

  /** The position behind the bytes that begin at `position`; `position` itself when there are none. */
  endAt(position: number): number {
    const offset = position - this.start;
    for (const { from, to } of this.#runs) if (offset >= from && offset < to) return this.start + to;
    return position;
  }

  /** Where bytes for `position` are to be put: at most so many, and up to those that are there already. */
  writableAt(position: number, most: number): Buffer {
    const offset = position - this.start;
    let end = Math.min(BLOCK_SIZE, offset + most);
    for (const { from } of this.#runs) if (from >= offset) end = Math.min(end, from);
    return this.buffer.subarray(offset, end);
  }

  /** So many bytes have been put at a position. */
  add(position: number, bytes: number): void {
    const from = position - this.start;
    const [only] = this.#runs;
    // As nearly always.
    if (this.#runs.length === 1 && only?.to === from) only.to += bytes;
    else this.#insert(from, from + bytes);
  }

  /** The bytes from one position up to another, exclusive, are no longer there. */
  removeRange(from: number, to: number): void {
    const [start, end] = [from - this.start, to - this.start];
    this.#runs = this.#runs
      .flatMap((run) => [
        { from: run.from, to: Math.min(run.to, start) },
        { from: Math.max(run.from, end), to: run.to },
      ])
      .filter((run) => run.from < run.to);
  }

  #insert(from: number, to: number): void {
    const touches = (run: ByteRun) => run.to >= from && run.from <= to;
    const joined = this.#runs.filter(touches).concat({ from, to });
    const whole = {
      from: Math.min(...joined.map((run) => run.from)),
      to: Math.max(...joined.map((run) => run.to)),
    };
    const apart = this.#runs.filter((run) => !touches(run));
    this.#runs = [...apart, whole].sort((one, other) => one.from - other.from);
  }
}

/** Bytes on loan: they stay as they are until released. */
export interface Loan {
  readonly bytes: Uint8Array;
  release(): void;
}

/** How dear a block is; the cheapest goes first, and only for something dearer. */
export type RetentionPriority = (block: Block) => number;

export interface BlockCacheOptions {
  readonly pool: BlockPool;
  /** Bytes at most. */
  readonly limit: number;
  readonly priority: RetentionPriority;
  /** Called when there may be memory again, after there was none. */
  readonly onRoom: () => void;
}

/** The parts of one file that are in memory, by block. */
export class BlockCache implements BlockHolder {
  lastUse = performance.now();
  readonly #pool: BlockPool;
  readonly #most: number;
  readonly #priority: RetentionPriority;
  readonly #onRoom: () => void;
  readonly #blocks = new Map<number, Block>();
  #uses = 0;

  constructor({ pool, limit, priority: worth, onRoom }: BlockCacheOptions) {
    this.#pool = pool;
    this.#most = Math.max(2, Math.floor(limit / BLOCK_SIZE));
    this.#priority = worth;
    this.#onRoom = onRoom;
    pool.join(this);
  }

  /** Bytes of memory in use. */
  get used(): number {
    return this.#blocks.size * BLOCK_SIZE;
  }

  has(position: number): boolean {
    return this.firstMissing(position) > position;
  }

  /** The bytes at a position, as many as stand together; undefined when there are none. */
  lend(position: number): Loan | undefined {
    const block = this.#at(position);
    const end = block?.endAt(position) ?? position;
    if (block === undefined || end === position) return undefined;
    this.lastUse = performance.now();
    block.pins++;
    block.lastUsed = ++this.#uses;
    let lent = true;
    return {
      bytes: block.buffer.subarray(position - block.start, end - block.start),
      release: () => {
        if (lent) this.unpin(block);
        lent = false;
      },
    };
  }

  /** The same, to be looked at and not kept. */
  peek(position: number): Uint8Array | undefined {
    const block = this.#at(position);
    const end = block?.endAt(position) ?? position;
    if (block === undefined || end === position) return undefined;
    return block.buffer.subarray(position - block.start, end - block.start);
  }

  /** The first position from `position` on that is not in memory. */
  firstMissing(position: number): number {
    let gap = position;
    for (;;) {
      const end = this.#at(gap)?.endAt(gap) ?? gap;
      if (end === gap) return gap;
      gap = end;
    }
  }

  /**
   * The block in which the byte at `position` is to be written, pinned. "met": the byte is there already. Undefined:
   * there is no memory now.
   */
  blockFor(position: number): Block | 'met' | undefined {
    const there = this.#at(position);
    if (there !== undefined && there.endAt(position) > position) return 'met';
    const block = there ?? this.#add(Math.floor(position / BLOCK_SIZE));
    if (block !== undefined) block.pins++;
    return block;
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
      const room = block.writableAt(position + done, bytes.byteLength - done);
      room.set(bytes.subarray(done, done + room.byteLength));
      block.add(position + done, room.byteLength);
      done += room.byteLength;
      this.unpin(block);
    }
  }

  releaseOne(): boolean {
    return this.#evictBelow(Infinity);
  }

  onRoom(): void {
    this.#onRoom();
  }

  /** Lets go of the bytes from one position up to another, exclusive: they are not what they should be. */
  removeRange(from: number, to: number): void {
    for (let at = from; at < to; at = (Math.floor(at / BLOCK_SIZE) + 1) * BLOCK_SIZE)
      this.#at(at)?.removeRange(from, to);
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
    return this.#blocks.get(Math.floor(position / BLOCK_SIZE));
  }

  #add(index: number): Block | undefined {
    const worth = this.#priority(new Block(index, NO_BUFFER));
    if (this.#blocks.size >= this.#most && !this.#evictBelow(worth)) return undefined;
    let buffer = this.#pool.take(this);
    if (buffer === undefined && this.#evictBelow(worth)) buffer = this.#pool.take(this);
    if (buffer === undefined) return undefined;
    const block = new Block(index, buffer);
    block.lastUsed = ++this.#uses;
    this.#blocks.set(index, block);
    return block;
  }

  #evictBelow(limit: number): boolean {
    let cheapest: Block | undefined;
    let price = limit;
    for (const block of this.#blocks.values()) {
      if (block.pins > 0) continue;
      const worth = this.#priority(block);
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
