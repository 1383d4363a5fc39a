import { describe, expect, it } from 'vitest';
import { filterYielding, groupYielding, sortYielding } from '../../src/io/yielding-arrays.ts';
import { groupedBy } from '../../src/job-files/files.ts';
import { Random } from '../support/random.ts';

const SIZES = [0, 1, 2, 1_023, 1_024, 1_025, 2_048, 3_073, 10_000];

interface Item {
  readonly key: number;
  readonly at: number;
}

/** Many of them alike, so that an order that is not kept shows. */
function items(size: number, seed: number): Item[] {
  const random = new Random(seed);
  return Array.from({ length: size }, (_, at) => ({ key: random.int(0, 49), at }));
}

/** Counts how often everything else had its turn. */
function turns() {
  const counted = {
    times: 0,
    giveWay: () => {
      counted.times++;
      return Promise.resolve();
    },
  };
  return counted;
}

describe.each(SIZES)('%i items in turns', (size) => {
  const all = items(size, size + 1);
  const { giveWay } = turns();

  it('are sorted as an array sorts them', async () => {
    const compare = (a: Item, b: Item) => a.key - b.key;
    expect(await sortYielding(all, compare, giveWay)).toEqual(all.toSorted(compare));
  });

  it('are grouped as at once', async () => {
    const keyOf = ({ key }: Item) => `${key}`;
    expect([...(await groupYielding(all, keyOf, giveWay))]).toEqual([...groupedBy(all, keyOf)]);
  });

  it('are filtered as at once', async () => {
    const isKept = ({ key }: Item) => key % 3 === 0;
    expect(await filterYielding(all, isKept, giveWay)).toEqual(all.filter(isKept));
  });
});

it.each([
  [
    'sorted',
    (all: Item[], giveWay: () => Promise<void>) => sortYielding(all, (a, b) => a.key - b.key, giveWay),
  ],
  [
    'grouped',
    (all: Item[], giveWay: () => Promise<void>) => groupYielding(all, ({ key }) => `${key}`, giveWay),
  ],
  ['filtered', (all: Item[], giveWay: () => Promise<void>) => filterYielding(all, () => true, giveWay)],
])('give way about every thousand items while they are %s', async (_what, work) => {
  const counted = turns();
  await work(items(100_000, 7), counted.giveWay);
  expect(counted.times).toBeGreaterThan(90);
});

it('looks that take long are no more than 16 at a time', async () => {
  let most = 0;
  let looks = 0;
  const look = () => {
    most = Math.max(most, ++looks);
    return true;
  };
  const giveWay = () => {
    looks = 0;
    return Promise.resolve();
  };
  await filterYielding(items(100, 1), look, giveWay);
  looks = 0;
  await groupYielding(items(100, 1), () => String(look()), giveWay);
  expect(most).toBe(16);
});
