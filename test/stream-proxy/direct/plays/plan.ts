import { Random } from '../../../support/random.ts';

/** What happens to a play of a service that streams by itself (protocols.md §8.6, §8.11). */
export type Trouble =
  | 'none'
  | 'dead'
  | 'dead from the middle on'
  | 'one article lost'
  | 'many articles lost'
  | 'restarted'
  | 'restarted, in another order'
  | 'a new post'
  | 'paused for half an hour'
  | 'its provider away for a while';

export type PlayedService = 'streamnzb' | 'aiostreams' | 'altmount';

/** A film that is chosen in a service's list, and what happens to it. All of it is data. */
export interface DirectPlay {
  readonly seed: number;
  readonly service: PlayedService;
  /** Whether the service puts another release in the place of one that fails. */
  readonly failover: boolean;
  readonly trouble: Trouble;
  /** Bytes of the releases in the order of the list; the first is chosen. */
  readonly sizes: readonly number[];
  /** Articles of the chosen one that are lost. */
  readonly lost: readonly number[];
  /** Bytes that have left the service when it happens, or that AltMount's player has read. */
  readonly after: number;
  /** Where the player seeks to before it reads the whole film: parts of it. */
  readonly seeks: readonly number[];
}

/** Bytes. */
export const ARTICLE = 716_800;
/** Of so many articles, one that is lost is within AltMount's limits (2 %). */
export const LONG = 60;
/** A list of these is more often in trouble than not. */
const TROUBLES = [
  ...(['none', 'dead', 'dead from the middle on', 'one article lost', 'many articles lost'] as const),
  ...(['restarted', 'restarted, in another order', 'a new post'] as const),
  ...(['paused for half an hour', 'its provider away for a while'] as const),
] as const;

/** AltMount has no list of its own that moves, and forgets nothing of what it has taken. */
const TROUBLES_OF_ALTMOUNT = [
  ...(['none', 'dead', 'dead from the middle on', 'one article lost', 'many articles lost'] as const),
  ...(['restarted', 'its provider away for a while'] as const),
] as const;

export function planDirectPlay(seed: number): DirectPlay {
  const random = new Random(seed);
  const service = random.pick<PlayedService>(['streamnzb', 'aiostreams', 'altmount']);
  const failover = service !== 'altmount' && random.chance(0.5);
  const trouble = random.pick<Trouble>(service === 'altmount' ? TROUBLES_OF_ALTMOUNT : TROUBLES);
  const isLong = service === 'altmount' && trouble === 'one article lost' && random.chance(0.5);
  const articles = isLong ? random.int(LONG, LONG + 10) : random.int(8, 18);
  const size = articles * ARTICLE + random.int(1, ARTICLE - 1);
  const others = Array.from({ length: random.int(1, 3) }, () => random.int(6_000_000, 14_000_000));
  return {
    seed,
    service,
    failover,
    trouble,
    sizes: [size, ...others],
    lost: lostIn(trouble, articles, random),
    after: random.int(1_000_000, Math.floor(size * 0.7)),
    seeks: Array.from({ length: random.int(0, 2) }, () => random.next()),
  };
}

/** Neither the first nor the last article: without them nothing is opened at all. */
function lostIn(trouble: Trouble, articles: number, random: Random): number[] {
  if (trouble === 'one article lost') return [random.int(2, articles - 2)];
  if (trouble !== 'many articles lost') return [];
  return Array.from({ length: 5 }, () => random.int(2, articles - 2));
}

/** Whether the chosen release can be had to its end, but for the articles that are lost. */
export function canBeHad({ service, failover, trouble, sizes }: DirectPlay): boolean {
  switch (trouble) {
    case 'dead':
    case 'dead from the middle on':
    case 'many articles lost':
      return false;
    case 'one article lost':
      if (service === 'altmount') return sizes[0]! >= LONG * ARTICLE;
      return service === 'aiostreams' || !failover;
    case 'its provider away for a while':
      // With failover StreamNZB gives the release up at the first article that it does not get.
      return service !== 'streamnzb' || !failover;
    default:
      return true;
  }
}
