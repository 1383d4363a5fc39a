import { describe, expect, it } from 'vitest';
import { planHolePlay } from './plan.ts';
import { describeHoles, playHoles, replayHoles } from './run.ts';

const SEEDS = Array.from({ length: 24 }, (_, i) => i + 1);

describe.concurrent('each byte that is not the film’s lies in a fill or in a hole that is listed', () => {
  it.each(SEEDS.map((seed) => [describeHoles(planHolePlay(seed)), seed] as const))(
    '%s',
    async (_name, seed) => {
      expect(await playHoles(seed), replayHoles(seed)).toEqual([]);
    },
    60_000,
  );
});
