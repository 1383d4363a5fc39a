import type { Video } from '../../../sandbox/index.ts';
import { Random } from '../../support/random.ts';

export type Container = Video['container'];

/** How an NZB is written: the usual way, and the odd ones that public posts were seen to have. */
export type Form =
  | 'usual'
  | 'an element for each article'
  | 'an element for each article, all number 1'
  | 'in two elements'
  | 'out of order'
  | 'each article twice'
  | 'counted from 0'
  | 'sizes as decoded'
  | 'subjects that say nothing'
  | 'blanks and signs in ids'
  | 'posted twice'
  | 'reposted'
  | 'no numbers'
  | 'number 1 throughout'
  | 'counts of another kind'
  | 'one subject for all'
  | 'side files that lack articles';

/** What of a file is not in the NZB. */
export type Lack = 'one' | 'a row' | 'several' | 'the first' | 'the last' | 'an id';

export interface Post {
  readonly container: Container;
  /** Posted as it is, or in a RAR set with so many bytes in each volume. */
  readonly volume?: number;
  /** Bytes, and playing time in seconds. */
  readonly size: number;
  readonly seconds: number;
  readonly form: Form;
}

/** A search that lists two releases, of which the NZB of the first lacks something. All of it is data. */
export interface SplicedPlay {
  readonly seed: number;
  readonly lacking: Post & { readonly lack: Lack };
  readonly whole: Post;
  /** Where the player reads, beside the whole film: parts of it, from 0 up to 1. */
  readonly reads: readonly number[];
}

const MB = 1_000_000;

const CONTAINERS = ['mkv', 'mkv', 'mp4-front', 'mp4-tail', 'ts', 'avi'] as const;

/** Those in which the document tells what lacks, wherever it lacks. */
const TELLING = [
  'usual',
  'usual',
  'an element for each article',
  'an element for each article, all number 1',
  'in two elements',
  'out of order',
  'each article twice',
  'counted from 0',
  'sizes as decoded',
  'subjects that say nothing',
  'blanks and signs in ids',
  'posted twice',
  'reposted',
  'no numbers',
  'number 1 throughout',
] as const satisfies readonly Form[];

const OTHERS = [
  'counts of another kind',
  'one subject for all',
  'side files that lack articles',
] as const satisfies readonly Form[];

/** The play of a seed; the same one each time. */
export function planSplicedPlay(seed: number): SplicedPlay {
  const random = new Random(seed);
  const form = random.pick<Form>(TELLING);
  const lack = random.pick<Lack>(['one', 'one', 'a row', 'several', 'the first', 'the last', 'an id']);
  return {
    seed,
    lacking: { ...planPost(random, form), lack },
    whole: planPost(random, random.pick<Form>([...TELLING, ...OTHERS, ...OTHERS])),
    reads: Array.from({ length: 3 }, () => random.next()),
  };
}

function planPost(random: Random, form: Form): Post {
  const container = random.pick<Container>(CONTAINERS);
  const size = random.int(6 * MB, 16 * MB);
  const volume = random.chance(0.4) ? { volume: random.int(2.5 * MB, 5 * MB) } : {};
  return { container, size, form, ...volume, seconds: random.int(10, Math.floor(size / 100_000)) };
}
