import { describe, expect, it } from 'vitest';
import { planSplicedPlay } from './plan.ts';
import { describeSpliced, playSpliced, replaySpliced } from './run.ts';

const named = (seeds: readonly number[]) =>
  seeds.map((seed) => [describeSpliced(planSplicedPlay(seed)), seed] as const);

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);

describe.concurrent('an NZB that lacks something is not played: the next release is, each byte the film’s', () => {
  it.each(named(SEEDS))(
    '%s',
    async (_name, seed) => {
      expect((await playSpliced(seed)).objections, replaySpliced(seed)).toEqual([]);
    },
    60_000,
  );
});

/** Articles in the middle are gone: the file's start, which everything looks at, is the film's. */
const UNNOTICED = [11, 15, 17, 28, 70];

describe.concurrent('without the check the server splices it, and nothing else notices', () => {
  it.each(named(UNNOTICED))(
    '%s',
    async (_name, seed) => {
      const { playing, wrongAt } = await playSpliced(seed, { unchecked: true });
      expect(playing).toBe('lacking');
      expect(wrongAt).toBeGreaterThan(0);
    },
    60_000,
  );
});
