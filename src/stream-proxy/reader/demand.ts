import type { AheadPolicy } from '../policy/ahead.ts';
import type { SourceFailure } from '../policy/failure.ts';
import { BLOCK } from './block-pool.ts';
import type { Block } from './cache.ts';
import { horizonOf, type Interest, isIndex, leaderOf, worthOf } from './interest.ts';
import { isNearly, Steadiness } from './steadiness.ts';

/** A request of the player that takes its bytes here. */
export interface Reading extends Interest {
  /** No player has asked for it yet. */
  readonly unasked: boolean;
  /** The byte it waits for may be there now. */
  wake(): void;
  /** The answer that is to bring the byte it waits for has begun. */
  answered(): void;
  /** The byte it waits for is being seen to: its patience begins anew. */
  holdOn(): void;
  /** The byte it waits for cannot be had. */
  fail(failure: SourceFailure): void;
}

export interface DemandOptions {
  readonly size: number;
  readonly policy: AheadPolicy;
  /** Bytes in memory, without a gap, from a position on. */
  readonly ahead: (position: number) => number;
  /** Bytes that may be held back from a request until it is known what they are. */
  readonly heldBack: number;
}

/** Who wants which bytes of one file: its requests, the one of them that plays, and who gives way to whom. */
export class Demand {
  readonly #size: number;
  readonly #policy: AheadPolicy;
  readonly #ahead: DemandOptions['ahead'];
  readonly #heldBack: number;
  readonly #steadiness: Steadiness;
  /** Oldest first; what no player has asked for yet counts as oldest. */
  #readings: readonly Reading[] = [];
  #leader: Reading | undefined;
  /** Where the player was when it hung up. */
  #lastPosition = 0;

  constructor({ size, policy, ahead, heldBack }: DemandOptions) {
    this.#size = size;
    this.#policy = policy;
    this.#ahead = ahead;
    this.#heldBack = heldBack;
    this.#steadiness = new Steadiness(policy);
  }

  get readings(): readonly Reading[] {
    return this.#readings;
  }

  get waiting(): readonly Reading[] {
    return this.#readings.filter(({ wait }) => wait !== undefined);
  }

  /** The request that plays. */
  get leader(): Reading | undefined {
    return this.#leader;
  }

  /** The request that plays, or the place to which one will return. */
  get place(): Interest {
    const ghost = { position: this.#lastPosition, last: this.#size - 1, idle: true, wait: undefined };
    return this.#leader ?? ghost;
  }

  /** The position that is of no use any more once the request that plays has come to one. */
  passedAt(position: number): number {
    return this.#steadiness.behindFrom(position) - this.#steadiness.spanAt(position).behind;
  }

  /** Whether so much lies before the request that plays as is read ahead, be it more than it asked for. */
  get isFull(): boolean {
    const leader = this.#leader;
    if (leader === undefined || this.#steadiness.restrained) return false;
    const { position } = leader;
    const { ahead } = this.#steadiness.spanAt(position);
    return isNearly(this.#ahead(position), Math.min(ahead, this.#size - position));
  }

  /** Another film is being opened, or has been. */
  set restrained(restrained: boolean) {
    this.#steadiness.restrained = restrained;
  }

  join(reading: Reading): void {
    const leader = this.#leader;
    if (leader !== undefined && !reading.unasked && this.#isLook(reading))
      this.#steadiness.looked(leader.position);
    this.#readings = reading.unasked ? [reading, ...this.#readings] : [...this.#readings, reading];
  }

  leave(reading: Reading): void {
    if (!this.#isLook(reading)) this.#lastPosition = reading.position;
    this.#readings = this.#readings.filter((other) => other !== reading);
  }

  /** Decides anew which request plays. Gives whether it is another one. */
  elect(): boolean {
    const before = this.#leader;
    this.#leader = leaderOf(this.#readings, this.#size, this.#policy);
    if (this.#leader === before) return false;
    this.#steadiness.moved();
    return true;
  }

  /** A request has come a block further. */
  advanced(reading: Reading): void {
    if (reading === this.#leader) this.#steadiness.advanced(reading.position, this.#ahead(reading.position));
  }

  /** The bytes that a request waits for are not there. */
  starves(reading: Reading): void {
    if (reading === this.#leader) this.#steadiness.disturbed();
  }

  /** See worthOf. */
  worth(block: Block): number {
    const { place } = this;
    return worthOf(block, {
      interests: this.#readings,
      leader: place,
      span: this.#steadiness.spanAt(place.position),
      behindFrom: this.#steadiness.behindFrom(place.position),
      size: this.#size,
      policy: this.#policy,
    });
  }

  /** Up to where, exclusive, bytes are fetched for a request. */
  horizon(reading: Reading): number {
    const { position, last, wait } = reading;
    const span = this.#steadiness.spanAt(position);
    const horizon = horizonOf(reading, reading === this.#leader, span, this.#policy);
    if (wait === undefined) return horizon;
    return Math.max(horizon, Math.min(position + this.#heldBack, last) + 1);
  }

  /** Whether somebody wants the byte at a position to be fetched now. */
  wants(position: number): boolean {
    for (const reading of this.#readings)
      if (position < this.horizon(reading) && this.#isNear(reading, position) && !this.yields(reading))
        return true;
    return false;
  }

  /**
   * Whether a lane at a position works for somebody. That of the request that plays is kept while it yields, and while it
   * stands still before what is in memory already; others are not, but that of a look into the file's end while the
   * server is working on its head.
   */
  keepsLaneAt(position: number, awaitsHead = false): boolean {
    return this.#readings.some((reading) => {
      if (!this.#isNear(reading, position) || position > reading.last) return false;
      if (reading === this.#leader) return position <= reading.position + this.#policy.buffer + BLOCK;
      // It stands still at the horizon, or up to a block behind it.
      if (position > this.horizon(reading) + BLOCK) return false;
      return !this.yields(reading) || (awaitsHead && this.#isLook(reading));
    });
  }

  /** Whether there is room for so much behind a position: a lane does not go on for every block that is taken. */
  hasRoomAt(position: number, limit: number): boolean {
    const far = Math.min(position + this.#policy.skip, limit - 1);
    return (
      this.wants(position) &&
      this.#readings.some((reading) => far < this.horizon(reading) || far >= reading.last)
    );
  }

  /**
   * Only the newest place is fed: what an older request takes may go nowhere but into buffers of the system, for Kodi
   * leaves it open when it seeks. Should somebody really read both, the older one gets a turn before its patience ends.
   * Whoever does not play is fed beside the one that does, once that one has enough. A look into the file's end that
   * brings nothing does not hold up what plays.
   */
  yields(reading: Reading): boolean {
    const newer = this.#readings.slice(this.#readings.indexOf(reading) + 1);
    const before = newer.filter((other) => other.wait !== undefined && !this.#isFruitlessLook(other));
    if (before.length > 0) return !this.#hasTurn(reading, before);
    if (reading === this.#leader || this.#hasTurn(reading, newer)) return false;
    const isNewest = newer.length === 0 && !reading.unasked;
    return isNewest && !this.#isFruitlessLook(reading) ? false : !this.#hasEnough();
  }

  /** Whether a request has waited so long beside newer ones that it is served: those have got what they began with. */
  #hasTurn({ wait }: Reading, newer: readonly Reading[]): boolean {
    if (wait === undefined || performance.now() - wait.since < this.#policy.turn) return false;
    return newer.every((other) => other.wait?.flowing !== false);
  }

  /** A look into the file's end for which nothing has come for a while, no head either. */
  #isFruitlessLook(reading: Reading): boolean {
    const { wait } = reading;
    if (wait === undefined || !this.#isLook(reading)) return false;
    return performance.now() - wait.silentSince >= this.#policy.yields;
  }

  #isLook({ position }: Reading): boolean {
    return isIndex(position, this.#size, this.#policy);
  }

  /** Whether the request that plays can do without the connection for a moment. */
  #hasEnough(): boolean {
    const leader = this.#leader;
    if (leader === undefined) return true;
    if (leader.wait !== undefined) return false;
    const ahead = this.#ahead(leader.position);
    return ahead >= this.#policy.beside || leader.position + ahead > leader.last;
  }

  /** Whether a position has not been left behind by the request. */
  #isNear(reading: Reading, position: number): boolean {
    return position >= reading.position - this.#policy.skip;
  }
}
