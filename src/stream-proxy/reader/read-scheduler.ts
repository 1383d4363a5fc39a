import type { BufferPolicy } from '../policy/buffer.ts';
import type { SourceFailure } from '../policy/failure.ts';
import { BLOCK_SIZE } from './block-pool.ts';
import type { Block } from './cache.ts';
import { isAlmostAll, PlaybackPace } from './playback-pace.ts';
import {
  isInIndex,
  primaryReadOf,
  type ReadState,
  readAheadEndOf,
  retentionPriorityOf,
} from './player-read.ts';

/** A request of the player that takes its bytes here. */
export interface PlayerRead extends ReadState {
  /** No player has asked for it yet. */
  readonly isPrefetch: boolean;
  /** The byte it waits for may be there now. */
  wake(): void;
  /** The answer that is to bring the byte it waits for has begun. */
  responseStarted(): void;
  /** The byte it waits for is being seen to: its patience begins anew. */
  extendPatience(): void;
  /** The byte it waits for cannot be had. */
  fail(failure: SourceFailure): void;
}

export interface ReadSchedulerOptions {
  readonly size: number;
  readonly policy: BufferPolicy;
  /** Bytes in memory, without a gap, from a position on. */
  readonly bufferedAfter: (position: number) => number;
  /** Bytes that may be held back from a request until it is known what they are. */
  readonly maxHeldBack: number;
}

/** Who wants which bytes of one file: its requests, the one of them that plays, and who gives way to whom. */
export class ReadScheduler {
  readonly #size: number;
  readonly #policy: BufferPolicy;
  readonly #ahead: ReadSchedulerOptions['bufferedAfter'];
  readonly #heldBack: number;
  readonly #pace: PlaybackPace;
  /** Oldest first; what no player has asked for yet counts as oldest. */
  #reads: readonly PlayerRead[] = [];
  #primary: PlayerRead | undefined;
  /** Where the player was when it hung up. */
  #lastPosition = 0;

  constructor({ size, policy, bufferedAfter: ahead, maxHeldBack: heldBack }: ReadSchedulerOptions) {
    this.#size = size;
    this.#policy = policy;
    this.#ahead = ahead;
    this.#heldBack = heldBack;
    this.#pace = new PlaybackPace(policy);
  }

  get reads(): readonly PlayerRead[] {
    return this.#reads;
  }

  get waiting(): readonly PlayerRead[] {
    return this.#reads.filter(({ wait }) => wait !== undefined);
  }

  /** The request that plays. */
  get primary(): PlayerRead | undefined {
    return this.#primary;
  }

  /** The request that plays, or the place to which one will return. */
  get playhead(): ReadState {
    const ghost = { position: this.#lastPosition, last: this.#size - 1, idle: true, wait: undefined };
    return this.#primary ?? ghost;
  }

  /** The position that is of no use any more once the request that plays has come to one. */
  discardableBefore(position: number): number {
    return this.#pace.behindFrom(position) - this.#pace.windowAt(position).behind;
  }

  /** Whether so much lies before the request that plays as is read ahead, be it more than it asked for. */
  get isBufferFull(): boolean {
    const leader = this.#primary;
    if (leader === undefined || this.#pace.isThrottled) return false;
    const { position } = leader;
    const { ahead } = this.#pace.windowAt(position);
    return isAlmostAll(this.#ahead(position), Math.min(ahead, this.#size - position));
  }

  /** Another film is being opened, or has been. */
  set isThrottled(restrained: boolean) {
    this.#pace.isThrottled = restrained;
  }

  join(reading: PlayerRead): void {
    const leader = this.#primary;
    if (leader !== undefined && !reading.isPrefetch && this.#isIndexRead(reading))
      this.#pace.indexRead(leader.position);
    this.#reads = reading.isPrefetch ? [reading, ...this.#reads] : [...this.#reads, reading];
  }

  leave(reading: PlayerRead): void {
    if (!this.#isIndexRead(reading)) this.#lastPosition = reading.position;
    this.#reads = this.#reads.filter((other) => other !== reading);
  }

  /** Decides anew which request plays. Gives whether it is another one. */
  choosePrimary(): boolean {
    const before = this.#primary;
    this.#primary = primaryReadOf(this.#reads, this.#size, this.#policy);
    if (this.#primary === before) return false;
    this.#pace.seeked();
    return true;
  }

  /** A request has come a block further. */
  advanced(reading: PlayerRead): void {
    if (reading === this.#primary) this.#pace.advanced(reading.position, this.#ahead(reading.position));
  }

  /** The bytes that a request waits for are not there. */
  noteStarved(reading: PlayerRead): void {
    if (reading === this.#primary) this.#pace.stalled();
  }

  /** See retentionPriorityOf. */
  retentionPriority(block: Block): number {
    const { playhead: place } = this;
    return retentionPriorityOf(block, {
      interests: this.#reads,
      leader: place,
      span: this.#pace.windowAt(place.position),
      behindFrom: this.#pace.behindFrom(place.position),
      size: this.#size,
      policy: this.#policy,
    });
  }

  /** Up to where, exclusive, bytes are fetched for a request. */
  readAheadEnd(reading: PlayerRead): number {
    const { position, last, wait } = reading;
    const span = this.#pace.windowAt(position);
    const horizon = readAheadEndOf(reading, reading === this.#primary, span, this.#policy);
    if (wait === undefined) return horizon;
    return Math.max(horizon, Math.min(position + this.#heldBack, last) + 1);
  }

  /** Whether somebody wants the byte at a position to be fetched now. */
  isWanted(position: number): boolean {
    for (const reading of this.#reads)
      if (
        position < this.readAheadEnd(reading) &&
        this.#isNear(reading, position) &&
        !this.mustYield(reading)
      )
        return true;
    return false;
  }

  /**
   * Whether a transfer at a position works for somebody. That of the request that plays is kept while it yields, and while it
   * stands still before what is in memory already; others are not, but that of a look into the file's end while the
   * server is working on its head.
   */
  needsTransferAt(position: number, awaitsHead = false): boolean {
    return this.#reads.some((reading) => {
      if (!this.#isNear(reading, position) || position > reading.last) return false;
      if (reading === this.#primary)
        return position <= reading.position + this.#policy.sessionMemory + BLOCK_SIZE;
      // It stands still at the horizon, or up to a block behind it.
      if (position > this.readAheadEnd(reading) + BLOCK_SIZE) return false;
      return !this.mustYield(reading) || (awaitsHead && this.#isIndexRead(reading));
    });
  }

  /** Whether there is room for so much behind a position: a transfer does not go on for every block that is taken. */
  hasRoomAt(position: number, limit: number): boolean {
    const far = Math.min(position + this.#policy.skipBytes, limit - 1);
    return (
      this.isWanted(position) &&
      this.#reads.some((reading) => far < this.readAheadEnd(reading) || far >= reading.last)
    );
  }

  /**
   * Only the newest place is fed: what an older request takes may go nowhere but into buffers of the system, for Kodi
   * leaves it open when it seeks. Should somebody really read both, the older one gets a turn before its patience ends.
   * Whoever does not play is fed beside the one that does, once that one has enough. A look into the file's end that
   * brings nothing does not hold up what plays.
   */
  mustYield(reading: PlayerRead): boolean {
    const newer = this.#reads.slice(this.#reads.indexOf(reading) + 1);
    const before = newer.filter((other) => other.wait !== undefined && !this.#isStuckIndexRead(other));
    if (before.length > 0) return !this.#isDue(reading, before);
    if (reading === this.#primary || this.#isDue(reading, newer)) return false;
    const isNewest = newer.length === 0 && !reading.isPrefetch;
    return isNewest && !this.#isStuckIndexRead(reading) ? false : !this.#hasEnough();
  }

  /** Whether a request has waited so long beside newer ones that it is served: those have got what they began with. */
  #isDue({ wait }: PlayerRead, newer: readonly PlayerRead[]): boolean {
    if (wait === undefined || performance.now() - wait.since < this.#policy.starvedAfter) return false;
    return newer.every((other) => other.wait?.flowing !== false);
  }

  /** A look into the file's end for which nothing has come for a while, no head either. */
  #isStuckIndexRead(reading: PlayerRead): boolean {
    const { wait } = reading;
    if (wait === undefined || !this.#isIndexRead(reading)) return false;
    return performance.now() - wait.silentSince >= this.#policy.maxYield;
  }

  #isIndexRead({ position }: PlayerRead): boolean {
    return isInIndex(position, this.#size, this.#policy);
  }

  /** Whether the request that plays can do without the connection for a moment. */
  #hasEnough(): boolean {
    const leader = this.#primary;
    if (leader === undefined) return true;
    if (leader.wait !== undefined) return false;
    const ahead = this.#ahead(leader.position);
    return ahead >= this.#policy.secondaryReadAhead || leader.position + ahead > leader.last;
  }

  /** Whether a position has not been left behind by the request. */
  #isNear(reading: PlayerRead, position: number): boolean {
    return position >= reading.position - this.#policy.skipBytes;
  }
}
