import { expect, it } from 'vitest';
import { BLOCK_SIZE, type BlockHolder, BlockPool } from '../../../src/stream-proxy/reader/block-pool.ts';

/** Holds what it has taken, and gives it back when it is asked to. */
class TestHolder implements BlockHolder {
  lastUse: number;
  told = 0;
  readonly held: Buffer[] = [];
  readonly #pool: BlockPool;

  constructor(pool: BlockPool, lastUse: number) {
    this.#pool = pool;
    this.lastUse = lastUse;
    pool.join(this);
  }

  get used(): number {
    return this.held.length * BLOCK_SIZE;
  }

  onRoom(): void {
    this.told++;
  }

  takes(): boolean {
    const block = this.#pool.take(this);
    if (block !== undefined) this.held.push(block);
    return block !== undefined;
  }

  releaseOne(): boolean {
    const block = this.held.shift();
    if (block !== undefined) this.#pool.give(block);
    return block !== undefined;
  }
}

it('gives as many blocks as fit into the memory, each a whole one and none twice', () => {
  const pool = new BlockPool(3 * BLOCK_SIZE + BLOCK_SIZE / 2);
  const holder = new TestHolder(pool, 0);
  expect([holder.takes(), holder.takes(), holder.takes()]).toEqual([true, true, true]);
  expect(new Set(holder.held).size).toBe(3);
  expect(holder.held.map(({ byteLength }) => byteLength)).toEqual([BLOCK_SIZE, BLOCK_SIZE, BLOCK_SIZE]);
  expect(pool.used).toBe(3 * BLOCK_SIZE);
});

it('never takes from the one that asks: that one knows best what it can do without', () => {
  const pool = new BlockPool(BLOCK_SIZE);
  const holder = new TestHolder(pool, 0);
  expect([holder.takes(), holder.takes()]).toEqual([true, false]);
  expect(pool.used).toBe(BLOCK_SIZE);
});

/** Nobody plays what was used then. */
const longAgo = (order: number) => performance.now() - 60_000 + order;

it('lets the longest unused holder give, and the next one when that one has nothing', () => {
  const pool = new BlockPool(3 * BLOCK_SIZE);
  const [newer, oldest, asking] = [2, 1, 3].map((order) => new TestHolder(pool, longAgo(order)));
  newer!.takes();
  newer!.takes();
  oldest!.takes();
  const held = () => [newer, oldest, asking].map((holder) => holder!.held.length);
  asking!.takes();
  expect(held()).toEqual([2, 0, 1]);
  asking!.takes();
  expect(held()).toEqual([1, 0, 2]);
  expect(pool.used).toBe(3 * BLOCK_SIZE);
});

it('takes from who is in use only what that one has beyond its share', () => {
  const pool = new BlockPool(6 * BLOCK_SIZE);
  const now = performance.now();
  const [rich, poor, asking] = [1, 2, 3].map((order) => new TestHolder(pool, now + order));
  for (let block = 0; block < 4; block++) rich!.takes();
  poor!.takes();
  poor!.takes();
  expect([asking!.takes(), asking!.takes(), asking!.takes()]).toEqual([true, true, false]);
  expect([rich, poor, asking].map((holder) => holder!.held.length)).toEqual([2, 2, 2]);
});

it('tells whom it has refused as soon as there is a block again', async () => {
  const pool = new BlockPool(BLOCK_SIZE);
  const [holder, asking] = [new TestHolder(pool, performance.now()), new TestHolder(pool, performance.now())];
  holder.takes();
  expect(asking.takes()).toBe(false);
  holder.releaseOne();
  await expect.poll(() => [holder.told, asking.told]).toEqual([0, 1]);
  expect(asking.takes()).toBe(true);
});

it('asks nobody who has left', () => {
  const pool = new BlockPool(BLOCK_SIZE);
  const [gone, asking] = [new TestHolder(pool, longAgo(1)), new TestHolder(pool, longAgo(2))];
  gone.takes();
  pool.leave(gone);
  expect([asking.takes(), gone.held.length]).toEqual([false, 1]);
});

it('uses a block again that was given back, as long as somebody plays', () => {
  const pool = new BlockPool(2 * BLOCK_SIZE);
  const holder = new TestHolder(pool, 0);
  holder.takes();
  holder.takes();
  const [first, second] = holder.held;
  holder.releaseOne();
  expect(pool.used).toBe(BLOCK_SIZE);
  holder.takes();
  expect(holder.held[1]).toBe(first);
  holder.releaseOne();
  holder.releaseOne();
  expect(pool.used).toBe(0);
  holder.takes();
  expect([first, second]).not.toContain(holder.held[0]);
});

it('has more room, or less, when it is given another amount of memory', () => {
  const pool = new BlockPool(2 * BLOCK_SIZE);
  const [old, other] = [new TestHolder(pool, 0), new TestHolder(pool, 0)];
  expect([old.takes(), old.takes(), old.held.length]).toEqual([true, true, 2]);
  // What it holds it does not give to itself.
  expect(old.takes()).toBe(false);
  pool.resize(6 * BLOCK_SIZE);
  expect(old.told).toBe(1);
  for (let taken = 0; taken < 4; taken++) expect(old.takes()).toBe(true);
  expect(pool.used).toBe(6 * BLOCK_SIZE);
  pool.resize(3 * BLOCK_SIZE);
  // It has not been used for long, and gives whatever is too much.
  expect(other.takes()).toBe(true);
  expect([pool.used, old.held.length]).toEqual([3 * BLOCK_SIZE, 2]);
});

it('keeps no more blocks for the next use than it may give', () => {
  const pool = new BlockPool(4 * BLOCK_SIZE);
  const holder = new TestHolder(pool, 0);
  for (let taken = 0; taken < 3; taken++) holder.takes();
  const before = [...holder.held];
  holder.releaseOne();
  holder.releaseOne();
  pool.resize(BLOCK_SIZE);
  pool.resize(4 * BLOCK_SIZE);
  expect(holder.takes()).toBe(true);
  expect(before).not.toContain(holder.held.at(-1));
});
