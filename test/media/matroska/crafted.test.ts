import { describe, expect, it } from 'vitest';
import { firstElementFinder } from '../../../src/media/first-element.ts';
import { planFill } from '../../../src/media/plan-fill.ts';
import { whileWorking } from '../../support/event-loop-turns.ts';
import { around, inMemory, plan } from '../holes.ts';
import { type Crafted, clustersInARow, voidsLikeGroups } from './crafted.ts';

const MKV = 'video/x-matroska';
const MIB = 1024 * 1024;

/** Each would take minutes if every way through it were gone. */
const FILES: readonly (readonly [name: string, crafted: Crafted])[] = [
  ['Voids that look like BlockGroups behind the hole', voidsLikeGroups(9 * MIB, 3 * MIB)],
  ['Clusters in a row before the hole', clustersInARow(9 * MIB)],
];

describe.each(FILES)('a file that is made to be slow: %s', (_, { bytes, hole }) => {
  const reader = around(inMemory(bytes), [hole]);

  it('comes to an end, and lets everything else have its turn meanwhile', async () => {
    let turns = 0;
    await whileWorking(
      () => planFill(MKV, hole, reader, new AbortController().signal),
      () => turns++,
    );
    expect(turns).toBeGreaterThan(5);
  });

  it('ends within a turn when it is aborted', async () => {
    const controller = new AbortController();
    let turns = 0;
    const working = whileWorking(
      () => planFill(MKV, hole, reader, controller.signal),
      () => {
        if (++turns === 3) controller.abort(new Error('enough'));
      },
    );
    await expect(working).rejects.toThrow('enough');
    expect(turns).toBeLessThan(6);
  });
});

describe('what cannot be found out in a file that is made to be slow', () => {
  it('is no boundary: the hole is bridged to the end of what is known to be open', async () => {
    const { bytes, hole } = voidsLikeGroups(9 * MIB, 3 * MIB);
    const fill = await plan(MKV, inMemory(bytes), hole);
    expect(fill).toEqual(expect.objectContaining({ first: hole.first }));
  });

  it('is no way to the hole, which is refused', async () => {
    const { bytes, hole } = clustersInARow(9 * MIB);
    expect(await plan(MKV, inMemory(bytes), hole)).toEqual({
      refused: 'the structure of the file takes too much work',
    });
  });

  it('is no place at which zeros cannot be', async () => {
    const { bytes, hole } = clustersInARow(9 * MIB);
    const begin = firstElementFinder(MKV)?.(hole, around(inMemory(bytes), []), new AbortController().signal);
    expect(await begin).toBeUndefined();
  });
});
