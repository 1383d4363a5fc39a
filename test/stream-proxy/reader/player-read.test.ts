import { describe, expect, it } from 'vitest';
import { BUFFER_POLICY, readAheadBytes } from '../../../src/stream-proxy/policy/buffer.ts';
import { BLOCK_SIZE } from '../../../src/stream-proxy/reader/block-pool.ts';
import { Block } from '../../../src/stream-proxy/reader/cache.ts';
import {
  isInIndex,
  primaryReadOf,
  type ReadState,
  readAheadEndOf,
  retentionPriorityOf,
} from '../../../src/stream-proxy/reader/player-read.ts';

const SIZE = 2000 * BLOCK_SIZE;
const LAST = SIZE - 1;
const { indexBytes: index, backBuffer: behind } = BUFFER_POLICY;

const interest = (block: number, idle = false, last = LAST): ReadState => ({
  position: block * BLOCK_SIZE,
  last,
  idle,
  wait: undefined,
});

describe('the request that plays', () => {
  const leader = (...interests: ReadState[]) => primaryReadOf(interests, SIZE, BUFFER_POLICY);
  const TAIL = 1999;

  it('is none when there is none', () => {
    expect(leader()).toBeUndefined();
  });

  it('is the newer one, as when Kodi seeks', () => {
    const [before, after] = [interest(5, true), interest(900)];
    expect(leader(before, after)).toBe(after);
    expect(leader(interest(5), after)).toBe(after);
  });

  it('is the older one when only that one takes something', () => {
    const [older, newer] = [interest(5), interest(900, true)];
    expect(leader(older, newer)).toBe(older);
  });

  it('is the newer one while both rest', () => {
    const newer = interest(900, true);
    expect(leader(interest(5, true), newer)).toBe(newer);
  });

  it('is not the look into the index, unless there is no other', () => {
    const [head, tail] = [interest(5), interest(TAIL)];
    expect(leader(head, tail)).toBe(head);
    expect(leader(interest(5, true), tail)).toMatchObject({ position: 5 * BLOCK_SIZE });
    expect(leader(tail)).toBe(tail);
  });
});

it("the index is the file's last bytes, but never its first block", () => {
  expect([SIZE - index - 1, SIZE - index].map((at) => isInIndex(at, SIZE, BUFFER_POLICY))).toEqual([
    false,
    true,
  ]);
  expect([0, BLOCK_SIZE - 1, BLOCK_SIZE].map((at) => isInIndex(at, 2 * BLOCK_SIZE, BUFFER_POLICY))).toEqual([
    false,
    false,
    true,
  ]);
});

const SPAN = { ahead: readAheadBytes(BUFFER_POLICY), behind: BUFFER_POLICY.backBuffer };

it('bytes are fetched far ahead of the request that plays, little beside it, none for who takes nothing', () => {
  const position = 5 * BLOCK_SIZE;
  const horizon = (one: ReadState, leads: boolean) =>
    readAheadEndOf(one, leads, SPAN, BUFFER_POLICY) - position;
  expect(horizon(interest(5), true)).toBe(SPAN.ahead);
  expect(horizon(interest(5, true), true)).toBe(SPAN.ahead);
  expect(horizon(interest(5), false)).toBe(BUFFER_POLICY.secondaryReadAhead);
  expect(horizon(interest(5, true), false)).toBe(0);
  expect(horizon(interest(5, false, position + 99), true)).toBe(100);
});

describe('the worth of a block', () => {
  const leader = interest(500);
  const other = interest(900);
  const worth = (block: number, stamp = 1) => {
    const there = new Block(block, Buffer.alloc(0));
    there.lastUsed = stamp;
    return retentionPriorityOf(there, {
      interests: [other, leader],
      leader,
      span: SPAN,
      behindFrom: leader.position,
      size: SIZE,
      policy: BUFFER_POLICY,
    });
  };
  const AHEAD = readAheadBytes(BUFFER_POLICY) / BLOCK_SIZE;
  const BEHIND = behind / BLOCK_SIZE;

  it('falls from what is read next over the way ahead, the index and the way back to what is far away', () => {
    const order = [500, 502, 500 + AHEAD - 1, 1999, 499 - BEHIND + 1, 1200].map((block) => worth(block));
    expect(order).toEqual([...order].sort((a, b) => b - a));
    expect(new Set(order).size).toBe(order.length);
  });

  it('is highest for what any request reads next, also beside the one that plays', () => {
    expect([900, 901, 500, 501].map((block) => worth(block))).toEqual([5, 5, 5, 5]);
    expect(worth(903)).toBeLessThan(1);
  });

  it('falls with the distance from the player, on both sides', () => {
    const ahead = Array.from({ length: AHEAD - 2 }, (_, i) => worth(502 + i));
    const back = Array.from({ length: BEHIND }, (_, i) => worth(499 - i));
    for (const row of [ahead, back]) expect(row).toEqual([...row].sort((a, b) => b - a));
    expect(ahead.at(-1)).toBeGreaterThan(back[0]!);
  });

  it('of all that is far away, is least for what was used longest ago', () => {
    expect(worth(1200, 7)).toBeLessThan(worth(1300, 8));
    expect(worth(1999, 0)).toBeGreaterThan(worth(1200, 10 ** 9));
    expect(worth(0, 0)).toBeGreaterThan(worth(1200, 10 ** 9));
  });
});
