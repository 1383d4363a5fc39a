import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_SIZE, BlockPool } from '../../../src/stream-proxy/reader/block-pool.ts';
import { type Block, BlockCache, type Loan } from '../../../src/stream-proxy/reader/cache.ts';
import { virtualBytes } from '../../support/virtual-file.ts';

const bytes = (position: number, length: number) => virtualBytes(position, position + length - 1);
/** What is new is worth most, then what was used last. */
const used = ({ lastUsed: stamp }: Block) => (stamp === 0 ? Infinity : stamp);

function cache({ memory = 64, limit = 64, worth = used } = {}) {
  const pool = new BlockPool(memory * BLOCK_SIZE);
  return {
    pool,
    cache: new BlockCache({ pool, limit: limit * BLOCK_SIZE, priority: worth, onRoom: () => undefined }),
  };
}

describe('what was put', () => {
  it('is lent again, up to the end of a block', () => {
    const { cache: file } = cache();
    file.put(BLOCK_SIZE - 100, bytes(BLOCK_SIZE - 100, 300));
    expect(file.lend(BLOCK_SIZE - 50)?.bytes).toEqual(bytes(BLOCK_SIZE - 50, 50));
    expect(file.lend(BLOCK_SIZE)?.bytes).toEqual(bytes(BLOCK_SIZE, 200));
    expect([file.lend(BLOCK_SIZE - 101), file.lend(BLOCK_SIZE + 200)]).toEqual([undefined, undefined]);
    expect([file.firstMissing(BLOCK_SIZE - 100), file.firstMissing(7)]).toEqual([BLOCK_SIZE + 200, 7]);
  });

  it('grows together from parts in any order', () => {
    const { cache: file } = cache();
    for (const at of [400, 0, 200, 300, 100]) file.put(at, bytes(at, 100));
    expect(file.firstMissing(0)).toBe(500);
    expect(file.lend(0)?.bytes).toEqual(bytes(0, 500));
  });

  it('is not written twice', () => {
    const { cache: file } = cache();
    file.put(0, bytes(0, 100));
    expect(file.blockFor(50)).toBe('met');
    file.put(50, Buffer.alloc(200));
    expect(file.lend(0)?.bytes).toEqual(bytes(0, 100));
  });

  it('is not written over from before it', () => {
    const { cache: file } = cache();
    file.put(100, bytes(100, 50));
    file.put(0, Buffer.alloc(300, 'x'));
    expect(file.lend(0)?.bytes).toEqual(Buffer.concat([Buffer.alloc(100, 'x'), bytes(100, 50)]));
  });
});

describe('when memory is short', () => {
  it('the cheapest goes, and only for something dearer', () => {
    const worth = ({ index }: Block) => [3, 1, 2][index] ?? 0;
    const { cache: file, pool } = cache({ limit: 2, worth });
    for (const index of [0, 1, 2, 3]) file.put(index * BLOCK_SIZE, bytes(index * BLOCK_SIZE, 10));
    expect([0, 1, 2, 3].filter((index) => file.has(index * BLOCK_SIZE))).toEqual([0, 2]);
    expect(pool.used).toBe(2 * BLOCK_SIZE);
  });

  it('what is on loan stays, in the cache and as it is', () => {
    const { cache: file } = cache({ limit: 2, worth: ({ index }) => index });
    file.put(0, bytes(0, 10));
    const loan = file.lend(0);
    for (const index of [1, 2, 3]) file.put(index * BLOCK_SIZE, bytes(index * BLOCK_SIZE, 10));
    expect([0, 1, 2, 3].filter((index) => file.has(index * BLOCK_SIZE))).toEqual([0, 3]);
    expect(loan?.bytes).toEqual(bytes(0, 10));
  });

  it('nothing more is put while everything is on loan', () => {
    const { cache: file } = cache({ memory: 2 });
    for (const index of [0, 1]) file.put(index * BLOCK_SIZE, bytes(index * BLOCK_SIZE, 10));
    const loans = [0, 1].map((index) => file.lend(index * BLOCK_SIZE));
    file.put(2 * BLOCK_SIZE, bytes(0, 10));
    expect([file.has(2 * BLOCK_SIZE), file.blockFor(2 * BLOCK_SIZE)]).toEqual([false, undefined]);
    loans[0]?.release();
    file.put(2 * BLOCK_SIZE, bytes(0, 10));
    expect(file.has(2 * BLOCK_SIZE)).toBe(true);
  });

  it('another file gives, when that one was used less lately', () => {
    const { cache: file, pool } = cache({ memory: 2 });
    file.put(0, bytes(0, 10));
    file.put(BLOCK_SIZE, bytes(BLOCK_SIZE, 10));
    file.lastUse = -1;
    const other = new BlockCache({ pool, limit: 9 * BLOCK_SIZE, priority: used, onRoom: () => undefined });
    other.put(0, bytes(0, 10));
    expect([file.has(0), file.has(BLOCK_SIZE), other.has(0)]).toEqual([false, true, true]);
  });
});

it('a loan that is released twice is released once', () => {
  const { cache: file, pool } = cache();
  file.put(0, bytes(0, 10));
  const [one, two] = [file.lend(0), file.lend(0)];
  file.clear();
  one?.release();
  one?.release();
  expect(pool.used).toBe(BLOCK_SIZE);
  two?.release();
  expect(pool.used).toBe(0);
});

it('forgets the block of a position, unless somebody reads from it', () => {
  const { cache: file, pool } = cache();
  file.put(0, bytes(0, 10));
  const loan = file.lend(0);
  file.forget(5);
  expect(file.has(0)).toBe(true);
  loan?.release();
  file.forget(5);
  file.forget(-5);
  expect([file.has(0), pool.used]).toEqual([false, 0]);
});

/** Two files of different bytes share the memory: a block that is used again too early shows. */
const SHIFT = 333_333;
const MEMORY = 4;
const LIMIT = 3;

const position = fc.nat(6 * BLOCK_SIZE);
const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('put'), position, length: fc.nat(BLOCK_SIZE) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('lend'), position, length: fc.constant(0) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('write'), position, length: fc.integer({ min: 1, max: 999 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('end', 'forget', 'clear', 'give'),
      position,
      length: fc.nat(9),
    }),
  },
);

it('whatever happens, loans hold the right bytes until they end, and memory stays within its bounds', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1), command), { maxLength: 60 }), (commands) => {
      const pool = new BlockPool(MEMORY * BLOCK_SIZE);
      const files = [0, 1].map(
        () => new BlockCache({ pool, limit: LIMIT * BLOCK_SIZE, priority: used, onRoom: () => undefined }),
      );
      const right = (which: number, at: number, length: number) => bytes(at + which * SHIFT, length);
      const open: { check: () => void; end: () => void }[] = [];
      const lend = (which: number, at: number, loan: Loan) =>
        open.push({
          check: () => {
            expect(right(which, at, loan.bytes.byteLength).equals(loan.bytes)).toBe(true);
          },
          end: loan.release,
        });
      const write = (which: number, at: number, length: number, block: Block) =>
        open.push({
          check: () => undefined,
          // As a lane does: what it read stands in the block's memory before it is counted.
          end: () => {
            const offset = at - block.start;
            const room = block.endAt(at) === at ? Math.min(length, BLOCK_SIZE - offset) : 0;
            block.buffer.set(right(which, at, room), offset);
            if (room > 0) block.add(at, room);
            files[which]!.unpin(block);
          },
        });
      for (const [which, { kind, position: at, length }] of commands) {
        const file = files[which]!;
        if (kind === 'put') file.put(at, right(which, at, length));
        if (kind === 'forget') file.forget(at);
        if (kind === 'clear') file.clear();
        if (kind === 'give') file.releaseOne();
        if (kind === 'end') open.splice(length % Math.max(1, open.length), 1)[0]?.end();
        if (kind === 'lend') {
          const loan = file.lend(at);
          expect(loan !== undefined).toBe(file.has(at));
          if (loan !== undefined) lend(which, at, loan);
        }
        if (kind === 'write') {
          const block = file.blockFor(at);
          if (block === 'met' || block === undefined) continue;
          write(which, at, length, block);
        }
        for (const { check } of open) check();
        expect(pool.used).toBeLessThanOrEqual(MEMORY * BLOCK_SIZE);
        for (const { used: memory } of files) expect(memory).toBeLessThanOrEqual(LIMIT * BLOCK_SIZE);
      }
      for (const { check, end } of open) {
        check();
        end();
      }
      for (const file of files) file.close();
      expect(pool.used).toBe(0);
    }),
    { numRuns: 60 },
  );
});
