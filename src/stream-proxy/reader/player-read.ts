import type { BufferPolicy } from '../policy/buffer.ts';
import { BLOCK_SIZE } from './block-pool.ts';
import type { Block } from './cache.ts';
import type { ReadWait } from './transfer-task.ts';

/** One request of the player, as those see it who decide what is fetched and kept. */
export interface ReadState {
  /** The next byte that it needs. */
  readonly position: number;
  /** The last one that it asked for. */
  readonly last: number;
  /** Whether it takes nothing at present. */
  readonly idle: boolean;
  /** Its wait for the byte at `position`, while there is one. */
  readonly wait: ReadWait | undefined;
}

/** The file's last bytes, which players look into before and between: such a request is not the one that plays. */
export const isInIndex = (position: number, size: number, { indexBytes: index }: BufferPolicy): boolean =>
  position >= Math.max(BLOCK_SIZE, size - index);

/**
 * The request that plays: the newest one that takes something. Kodi opens a second one for a seek and leaves the first
 * open, idle (kodi.md §4.2). Pure.
 *
 * @param interests Oldest first.
 */
export function primaryReadOf<T extends ReadState>(
  interests: readonly T[],
  size: number,
  policy: BufferPolicy,
): T | undefined {
  const newestFirst = [...interests].reverse();
  const able = newestFirst.filter(({ position }) => !isInIndex(position, size, policy));
  const [newest] = able.length > 0 ? able : newestFirst;
  return able.find(({ idle }) => !idle) ?? newest;
}

/** Bytes that are fetched before a player, and kept behind it. */
export interface BufferWindow {
  readonly ahead: number;
  readonly behind: number;
}

/** Up to where, exclusive, bytes are fetched for a request. Pure. */
export function readAheadEndOf(
  interest: ReadState,
  leads: boolean,
  span: BufferWindow,
  policy: BufferPolicy,
): number {
  const reach = leads ? span.ahead : interest.idle ? 0 : policy.secondaryReadAhead;
  return Math.min(interest.position + reach, interest.last + 1);
}

interface RetentionContext {
  readonly interests: readonly ReadState[];
  readonly leader: ReadState | undefined;
  readonly span: BufferWindow;
  /** From where on backwards is kept what lies behind the leader. */
  readonly behindFrom: number;
  readonly size: number;
  readonly policy: BufferPolicy;
}

/**
 * What a block is worth keeping for, from 0 to 5: what is read next, the way ahead, the way back, the index, and last
 * what was used long ago. Pure.
 */
export function retentionPriorityOf(
  block: Block,
  { interests, leader, span, behindFrom, size, policy }: RetentionContext,
): number {
  const { start, lastUsed: stamp } = block;
  const end = start + BLOCK_SIZE;
  const isNext = ({ position, idle }: ReadState) => !idle && start <= position + BLOCK_SIZE && end > position;
  if (interests.some(isNext)) return 5;
  if (leader !== undefined) {
    const ahead = start - leader.position;
    if (ahead >= 0 && ahead < span.ahead) return 4 - ahead / span.ahead;
    const behind = behindFrom - end;
    if (behind >= 0 && behind < span.behind) return 2 - behind / span.behind;
  }
  if (start === 0 || isInIndex(start, size, policy)) return 2 + recency(stamp);
  return recency(stamp);
}

/** Between 0, long ago, and 1. */
const recency = (stamp: number): number => stamp / (stamp + 1);
