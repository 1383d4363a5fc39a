import type { AheadPolicy } from '../policy/ahead.ts';
import { BLOCK } from './block-pool.ts';
import type { Block } from './cache.ts';
import type { Want } from './lane-task.ts';

/** One request of the player, as those see it who decide what is fetched and kept. */
export interface Interest {
  /** The next byte that it needs. */
  readonly position: number;
  /** The last one that it asked for. */
  readonly last: number;
  /** Whether it takes nothing at present. */
  readonly idle: boolean;
  /** Its wait for the byte at `position`, while there is one. */
  readonly wait: Want | undefined;
}

/** The file's last bytes, which players look into before and between: such a request is not the one that plays. */
export const isIndex = (position: number, size: number, { index }: AheadPolicy): boolean =>
  position >= Math.max(BLOCK, size - index);

/**
 * The request that plays: the newest one that takes something. Kodi opens a second one for a seek and leaves the first
 * open, idle (kodi.md §4.2). Pure.
 *
 * @param interests Oldest first.
 */
export function leaderOf<T extends Interest>(
  interests: readonly T[],
  size: number,
  policy: AheadPolicy,
): T | undefined {
  const newestFirst = [...interests].reverse();
  const able = newestFirst.filter(({ position }) => !isIndex(position, size, policy));
  const [newest] = able.length > 0 ? able : newestFirst;
  return able.find(({ idle }) => !idle) ?? newest;
}

/** Bytes that are fetched before a player, and kept behind it. */
export interface Span {
  readonly ahead: number;
  readonly behind: number;
}

/** Up to where, exclusive, bytes are fetched for a request. Pure. */
export function horizonOf(interest: Interest, leads: boolean, span: Span, policy: AheadPolicy): number {
  const reach = leads ? span.ahead : interest.idle ? 0 : policy.beside;
  return Math.min(interest.position + reach, interest.last + 1);
}

interface Scene {
  readonly interests: readonly Interest[];
  readonly leader: Interest | undefined;
  readonly span: Span;
  /** From where on backwards is kept what lies behind the leader. */
  readonly behindFrom: number;
  readonly size: number;
  readonly policy: AheadPolicy;
}

/**
 * What a block is worth keeping for, from 0 to 5: what is read next, the way ahead, the way back, the index, and last
 * what was used long ago. Pure.
 */
export function worthOf(block: Block, { interests, leader, span, behindFrom, size, policy }: Scene): number {
  const { start, stamp } = block;
  const end = start + BLOCK;
  const isNext = ({ position, idle }: Interest) => !idle && start <= position + BLOCK && end > position;
  if (interests.some(isNext)) return 5;
  if (leader !== undefined) {
    const ahead = start - leader.position;
    if (ahead >= 0 && ahead < span.ahead) return 4 - ahead / span.ahead;
    const behind = behindFrom - end;
    if (behind >= 0 && behind < span.behind) return 2 - behind / span.behind;
  }
  if (start === 0 || isIndex(start, size, policy)) return 2 + age(stamp);
  return age(stamp);
}

/** Between 0, long ago, and 1. */
const age = (stamp: number): number => stamp / (stamp + 1);
