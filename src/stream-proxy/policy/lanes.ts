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
  /** Milliseconds until it is tried whether fewer would do as well. */
  readonly verify: number;
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
  verify: 4_000,
  rest: 30_000,
  longestRest: 600_000,
};

/** A change of width whose effect is being measured, and what the width before it brought in bytes per second. */
interface Trial {
  readonly from: number;
  readonly rate: number;
}

/**
 * Tries more connections while the player is hungry, and keeps them only where the whole becomes faster: an upstream
 * that limits each connection gains, one that shares a pool between them (nzbdav, protocols.md §2.6) does not. What was
 * kept is tried without now and then: the first impression may have been another's doing.
 */
export class LaneTuner {
  readonly #policy: LanePolicy;
  #width = 1;
  #trial: Trial | undefined;
  /** Whether the next trial is one with more connections: what was of no use is tried the other way round. */
  #upwards = true;
  /** The rate of the sample before, at the same width. */
  #lastRate = 0;
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

  /**
   * Nothing that is being measured tells how fast the upstream can be: the player has what it wants, or is at another
   * place now.
   */
  reset(): void {
    this.#sampleFrom = undefined;
    this.#lastRate = 0;
  }

  /** So many bytes came at `now` (milliseconds). Gives whether the width has changed. */
  received(bytes: number, now: number): boolean {
    this.#restUntil ??= now + this.#policy.first;
    const from = this.#sampleFrom ?? this.#begin(now, this.#trial === undefined ? 0 : this.#policy.settle);
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
    if (this.#trial === undefined) this.#perhapsTry(rate, now);
    else this.#end(this.#trial, rate, now);
    const changed = this.#width !== was;
    this.#lastRate = changed ? 0 : rate;
    this.#begin(now, changed ? this.#policy.settle : 0);
    return changed;
  }

  /** After two samples: one alone may be slow by chance. */
  #perhapsTry(rate: number, now: number): void {
    const { enough, most } = this.#policy;
    if (this.#lastRate === 0 || now < (this.#restUntil ?? 0)) return;
    const best = Math.max(rate, this.#lastRate);
    const more = this.#upwards && best < enough && this.#width < most;
    const width = more ? Math.min(this.#width * 2, most) : Math.max(1, Math.floor(this.#width / 2));
    if (width === this.#width) return;
    this.#trial = { from: this.#width, rate: best };
    this.#width = width;
  }

  #end({ from, rate: before }: Trial, rate: number, now: number): void {
    const { gain, verify, longestRest } = this.#policy;
    this.#trial = undefined;
    const more = this.#width > from;
    const better = more ? rate >= before * gain : rate * gain >= before;
    if (!better) {
      this.#width = from;
      this.#restUntil = now + this.#rest;
      this.#rest = Math.min(this.#rest * 2, longestRest);
    } else if (!more || this.#width === this.#policy.most || rate >= this.#policy.enough)
      this.#restUntil = now + verify;
    this.#upwards = this.#width === 1 || better === more;
  }
}
