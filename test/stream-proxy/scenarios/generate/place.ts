import type { Region } from '../../../support/fault-server/index.ts';
import type { Random } from '../../../support/random.ts';

/** A byte that the player will read; the first one, when it reads none. */
export function placeIn(random: Random, spans: readonly Region[]): number {
  const [span, ...others] = spans;
  if (span === undefined) return 0;
  const { first, last } = random.pick([span, ...others]);
  return random.chance(0.1) ? first : random.int(first, last);
}
