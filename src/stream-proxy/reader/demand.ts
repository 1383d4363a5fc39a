import type { AheadPolicy } from '../policy/ahead.ts';
import type { SourceFailure } from '../policy/failure.ts';
import { BLOCK } from './block-pool.ts';
import type { Block } from './cache.ts';
import { horizonOf, type Interest, isIndex, leaderOf, worthOf } from './interest.ts';

/** A request of the player that takes its bytes here. */
export interface Reading extends Interest {
  /** No player has asked for it yet. */
  readonly unasked: boolean;
  /** The byte it waits for may be there now. */
  wake(): void;
  /** The byte it waits for cannot be had. */
  fail(failure: SourceFailure): void;
}

/** Who wants which bytes of one file: its requests, the one of them that plays, and who gives way to whom. */
export class Demand {
  readonly #size: number;
  readonly #policy: AheadPolicy;
  /** Oldest first; what no player has asked for yet counts as oldest. */
  #readings: readonly Reading[] = [];
  #leader: Reading | undefined;
  /** Where the player was when it hung up. */
  #lastPosition = 0;

  constructor(size: number, policy: AheadPolicy) {
    this.#size = size;
    this.#policy = policy;
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

  join(reading: Reading): void {
    this.#readings = reading.unasked ? [reading, ...this.#readings] : [...this.#readings, reading];
  }

  leave(reading: Reading): void {
    if (!isIndex(reading.position, this.#size, this.#policy)) this.#lastPosition = reading.position;
    this.#readings = this.#readings.filter((other) => other !== reading);
  }

  /** Decides anew which request plays. Gives whether it is another one. */
  elect(): boolean {
    const before = this.#leader;
    this.#leader = leaderOf(this.#readings, this.#size, this.#policy);
    return this.#leader !== before;
  }

  /** See worthOf. */
  worth(block: Block): number {
    return worthOf(block, {
      interests: this.#readings,
      leader: this.place,
      size: this.#size,
      policy: this.#policy,
    });
  }

  /** Up to where, exclusive, bytes are fetched for a request. */
  horizon(reading: Reading): number {
    const horizon = horizonOf(reading, reading === this.#leader, this.#policy);
    return reading.wait === undefined ? horizon : Math.max(horizon, reading.position + 1);
  }

  /** Whether somebody wants the byte at a position to be fetched now. */
  wants(position: number): boolean {
    for (const reading of this.#readings)
      if (position < this.horizon(reading) && this.#isNear(reading, position) && !this.yields(reading))
        return true;
    return false;
  }

  /**
   * Whether a lane at a position works for somebody. That of the request that plays is kept while it yields, others are
   * not.
   */
  keepsLaneAt(position: number): boolean {
    return this.#readings.some(
      (reading) =>
        this.#isNear(reading, position) &&
        // It stands still at the horizon, or up to a block behind it.
        position <= this.horizon(reading) + BLOCK &&
        position <= reading.last &&
        (reading === this.#leader || !this.yields(reading)),
    );
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
   * A newer request waits: what an older one takes may go nowhere but into buffers of the system. The one that plays
   * yields for a while only: the newer one may look into an index that does not come.
   */
  yields(reading: Reading): boolean {
    const { yields } = this.#policy;
    const waitsLong = ({ wait }: Reading) => wait !== undefined && performance.now() - wait.since >= yields;
    if (waitsLong(reading)) return false;
    const newer = this.#readings.slice(this.#readings.indexOf(reading) + 1);
    return newer.some((other) => other.wait !== undefined && !(reading === this.#leader && waitsLong(other)));
  }

  /** Whether a position has not been left behind by the request. */
  #isNear(reading: Reading, position: number): boolean {
    return position >= reading.position - this.#policy.skip;
  }
}
