import type { Random } from '../../../support/random.ts';
import type { Container, FilePlan } from '../scenario.ts';

const KB = 1000;
const MB = 1000 * KB;
/** A second of the sandbox's films needs a little less. */
const SECOND = 25 * KB;
/** Where 32 bits, 53 bits, blocks of any size and one end. */
const EDGES = [
  ...[1, 2, 187, 4095, 4096, 65_535, 65_536, 65_537, 2 ** 18, 2 ** 18 + 1, 2 ** 20],
  ...[2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 40],
  ...[Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER],
] as unknown as readonly [number, ...number[]];

export function generateFile(random: Random, atLeast = 300 * KB): FilePlan {
  const container = random.pick<Container>(['mkv', 'mkv', 'mkv', 'mp4-front', 'mp4-tail', 'ts', 'opaque']);
  if (container === 'opaque' && atLeast <= 300 * KB && random.chance(0.7))
    return { container, size: random.pick(EDGES), seconds: 0 };
  const size = random.magnitude(atLeast, 12 * MB);
  const seconds = random.magnitude(2, Math.floor(size / SECOND));
  const isCrafted = container === 'mkv' && random.chance(0.15);
  return isCrafted
    ? { container: random.pick(['mkv-voids', 'mkv-clusters']), size, seconds: 0 }
    : { container, size, seconds };
}
