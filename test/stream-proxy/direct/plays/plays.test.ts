import { describe, expect, it } from 'vitest';
import { planDirectPlay } from './plan.ts';
import { describeDirect, playDirect, replayDirect } from './run.ts';

const SEEDS = Array.from({ length: 30 }, (_, i) => i + 1);
const named = SEEDS.map((seed) => [describeDirect(planDirectPlay(seed)), seed] as const);

describe.concurrent('a service that streams gives the film, or the cause is told; never a byte of another file', () => {
  it.each(named)(
    '%s',
    async (_name, seed) => {
      expect(await playDirect(seed), replayDirect(seed)).toEqual([]);
    },
    60_000,
  );
});
