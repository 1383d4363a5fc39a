import { Random } from '../../../support/random.ts';
import type { Promised, Scenario } from '../scenario.ts';
import { generateFile } from './file.ts';
import { generatePlayer } from './player.ts';
import { generateUpstream } from './upstream.ts';

/** Bytes: a hole and its surroundings need room. */
const ROOM_FOR_HOLES = 3_000_000;

/** The scenario of a seed; the same one each time. */
export function generate(seed: number): Scenario {
  const random = new Random(seed);
  const wish = random.pick<Promised>([
    ...(['everything', 'everything', 'everything', 'everything', 'everything'] as const),
    ...(['up to holes', 'up to holes', 'the truth', 'the truth'] as const),
  ]);
  const file = generateFile(random, wish === 'up to holes' ? ROOM_FOR_HOLES : undefined);
  const { plan: player, spans } = generatePlayer(random, file);
  const { plan: upstream, promise } = generateUpstream(random, file, spans, wish);
  const memory = random.pick(['as shipped', 'small'] as const);
  return { seed, file, upstream, player, memory, promise };
}
