/** How many connections read one film at a time: data, and the measurement that decides. */
export interface LanePolicy {
  readonly most: number;
  /** Bytes that one connection fetches at a time when there are several; a multiple of the block. */
  readonly piece: number;
  /** Bytes per second beyond which more connections are not worth trying: no film needs that. */
  readonly enough: number;
  /** Bytes before the player below which it is hungry. */
  readonly hungry: number;
  /** Milliseconds of hunger until more connections are tried at all. */
  readonly first: number;
  /** Milliseconds after a change before its effect is measured, and of the measurement. */
  readonly settle: number;
  readonly sample: number;
  /** More connections stay when the whole is faster by this factor. */
  readonly gain: number;
  /** Milliseconds until they are tried again when they were of no use; doubled each time up to the longest. */
  readonly rest: number;
  readonly longestRest: number;
}

export const LANE_POLICY: LanePolicy = {
  most: 6,
  piece: 4 * 1024 * 1024,
  enough: 64e6,
  hungry: 2 * 1024 * 1024,
  first: 1_500,
  settle: 250,
  sample: 400,
  gain: 1.25,
  rest: 30_000,
  longestRest: 600_000,
};

/**
 * Tries more connections while the player is hungry, and keeps them only where the whole becomes faster: an upstream
 * that limits each connection gains, one that shares a pool between them (nzbdav, protocols.md §2.6) does not.
 */
export class LaneTuner {
  readonly #policy: LanePolicy;
  #width = 1;
  /** The width to go back to when the trial under way fails, and what it brought in bytes per second. */
  #before: { readonly width: number; readonly rate: number } | undefined;
  /** Undefined: not measuring. */
  #sampleFrom: number | undefined;
  #bytes = 0;
  /** No trial before; undefined: nothing has been measured yet. */
  #restUntil: number | undefined;
  #rest: number;

  constructor(policy: LanePolicy) {
    this.#policy = policy;
    this.#rest = policy.rest;
  }

  /** How many connections there shall be. */
  get width(): number {
    return this.#width;
  }

  /** The player has what it wants: nothing that is measured now tells how fast the upstream can be. */
  sated(): void {
    this.#sampleFrom = undefined;
  }

  /** So many bytes came at `now` (milliseconds). Gives whether the width has changed. */
  received(bytes: number, now: number): boolean {
    this.#restUntil ??= now + this.#policy.first;
    const from = this.#sampleFrom ?? this.#begin(now, this.#before === undefined ? 0 : this.#policy.settle);
    if (now < from) return false;
    this.#bytes += bytes;
    const elapsed = now - from;
    return elapsed >= this.#policy.sample && this.#judge((this.#bytes / elapsed) * 1000, now);
  }

  #begin(now: number, settle: number): number {
    this.#bytes = 0;
    this.#sampleFrom = now + settle;
    return this.#sampleFrom;
  }

  #judge(rate: number, now: number): boolean {
    const was = this.#width;
    const before = this.#before;
    this.#before = undefined;
    if (before !== undefined && rate < before.rate * this.#policy.gain) {
      this.#width = before.width;
      this.#restUntil = now + this.#rest;
      this.#rest = Math.min(this.#rest * 2, this.#policy.longestRest);
    } else if (rate < this.#policy.enough && was < this.#policy.most && now >= (this.#restUntil ?? 0)) {
      this.#before = { width: was, rate };
      this.#width = Math.min(was * 2, this.#policy.most);
    }
    this.#begin(now, this.#width === was ? 0 : this.#policy.settle);
    return this.#width !== was;
  }
}
