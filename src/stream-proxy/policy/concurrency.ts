import type { Serving } from '../../model/index.ts';

/** How many connections read one film at a time: data, and the measurement that decides. */
export interface ConcurrencyPolicy {
  readonly maxTransfers: number;
  /** Bytes that one connection fetches at a time when there are several; a multiple of the block. */
  readonly chunkBytes: number;
  /** Bytes per second beyond which more connections are not worth trying: no film needs that. */
  readonly sufficientRate: number;
  /** Bytes before the player below which it is hungry. */
  readonly starvedBelow: number;
  /** Milliseconds of hunger, and bytes of the film in all, until more connections are tried. */
  readonly firstTrialAfter: number;
  readonly minTotalBytes: number;
  /** Milliseconds after a change before its effect is measured, and of the measurement. */
  readonly settleTime: number;
  readonly sampleTime: number;
  /** More connections stay when the whole is faster by this factor. */
  readonly minGain: number;
  /** Milliseconds until it is tried whether fewer would do as well. */
  readonly verifyAfter: number;
  /** More connections that brought nothing are tried again when the rate has fallen below this part of what it was. */
  readonly retryBelowShare: number;
  /** Milliseconds until the next trial after one that brought nothing; doubled each time up to the longest. */
  readonly cooldown: number;
  readonly maxCooldown: number;
}

export const CONCURRENCY_POLICY: ConcurrencyPolicy = {
  maxTransfers: 6,
  chunkBytes: 4 * 1024 * 1024,
  sufficientRate: 64e6,
  starvedBelow: 2 * 1024 * 1024,
  firstTrialAfter: 1_500,
  minTotalBytes: 8_000_000,
  settleTime: 250,
  sampleTime: 400,
  minGain: 1.25,
  verifyAfter: 4_000,
  retryBelowShare: 0.5,
  cooldown: 30_000,
  maxCooldown: 600_000,
};

/**
 * Bytes of the film until more connections are tried where each request is dear: by then Kodi's own buffer of 20 MB is
 * full, unless the line is hardly faster than the film. A trial costs some 40 articles there.
 */
const MIN_TOTAL_BYTES_COSTLY = 128_000_000;

/** The policy for a server: windows side by side bring nothing (protocols.md §2.6). Pure. */
export function concurrencyFor(policy: ConcurrencyPolicy, serving: Serving | undefined): ConcurrencyPolicy {
  if (serving?.windows === true) return { ...policy, maxTransfers: 1 };
  return serving?.look === 'dear' ? { ...policy, minTotalBytes: MIN_TOTAL_BYTES_COSTLY } : policy;
}

/** A change of width whose effect is being measured, and what the width before it brought in bytes per second. */
interface Trial {
  readonly from: number;
  readonly rate: number;
}

/**
 * Tries more connections while the player is hungry, and keeps them only where the whole becomes faster: an upstream
 * that limits each connection gains, one that shares a pool between them (nzbdav, protocols.md §2.6) does not, and each
 * trial costs it several articles. What was kept is tried without now and then: the first impression may have been
 * another's doing.
 */
export class ConcurrencyTuner {
  readonly #policy: ConcurrencyPolicy;
  #width = 1;
  /** Milliseconds: when the width changed last. */
  #changedAt = 0;
  #trial: Trial | undefined;
  /** Whether the next trial is one with more connections: what was of no use is tried the other way round. */
  #triesMore = true;
  /** The rate of the sample before, at the same width. */
  #lastRate = 0;
  /** Undefined: not measuring. */
  #sampleFrom: number | undefined;
  #bytes = 0;
  /** No trial before; undefined: nothing has been measured yet. */
  #nextTrialAt: number | undefined;
  #cooldown: number;
  /** Bytes of the film so far. */
  #total = 0;
  /** Bytes per second at which more connections brought nothing. */
  #futileAt: number | undefined;

  constructor(policy: ConcurrencyPolicy) {
    this.#policy = policy;
    this.#cooldown = policy.cooldown;
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

  /** So many bytes came while nothing could be measured. */
  idle(bytes: number): void {
    this.#total += bytes;
    this.reset();
  }

  /**
   * So many bytes came at `now` (milliseconds). Gives whether the width has changed.
   * @param awaited Since when the oldest head is awaited, in milliseconds; Infinity: none is.
   */
  received(bytes: number, now: number, awaited = Infinity): boolean {
    if (!this.#isMeasurable(awaited)) {
      this.idle(bytes);
      return false;
    }
    this.#total += bytes;
    this.#nextTrialAt ??= now + this.#policy.firstTrialAfter;
    const from =
      this.#sampleFrom ?? this.#startSample(now, this.#trial === undefined ? 0 : this.#policy.settleTime);
    if (now < from) return false;
    this.#bytes += bytes;
    const elapsed = now - from;
    return elapsed >= this.#policy.sampleTime && this.#evaluate((this.#bytes / elapsed) * 1000, now);
  }

  /**
   * Whether what comes is what so many connections bring. A new one brings nothing until its head is there; after that,
   * the heads of one piece after the other belong to what several cost.
   */
  #isMeasurable(awaited: number): boolean {
    return awaited === Infinity || (this.#width > 1 && awaited > this.#changedAt + this.#policy.settleTime);
  }

  #startSample(now: number, settle: number): number {
    this.#bytes = 0;
    this.#sampleFrom = now + settle;
    return this.#sampleFrom;
  }

  #evaluate(rate: number, now: number): boolean {
    const was = this.#width;
    if (this.#trial === undefined) this.#maybeStartTrial(rate, now);
    else this.#endTrial(this.#trial, rate, now);
    const changed = this.#width !== was;
    this.#lastRate = changed ? 0 : rate;
    if (changed) this.#changedAt = now;
    this.#startSample(now, changed ? this.#policy.settleTime : 0);
    return changed;
  }

  /** After two samples: one alone may be slow by chance. */
  #maybeStartTrial(rate: number, now: number): void {
    const { maxTransfers: most } = this.#policy;
    if (this.#lastRate === 0 || now < (this.#nextTrialAt ?? 0)) return;
    const best = Math.max(rate, this.#lastRate);
    const more = this.#triesMore && this.#canGain(best);
    const width = more ? Math.min(this.#width * 2, most) : Math.max(1, Math.floor(this.#width / 2));
    if (width === this.#width) return;
    this.#trial = { from: this.#width, rate: best };
    this.#width = width;
  }

  /** Whether more connections than now are worth trying at such a rate. */
  #canGain(rate: number): boolean {
    const {
      sufficientRate: enough,
      maxTransfers: most,
      minTotalBytes: after,
      retryBelowShare: fallen,
    } = this.#policy;
    if (this.#total < after || this.#width >= most || rate >= enough) return false;
    return this.#futileAt === undefined || rate < this.#futileAt * fallen;
  }

  #endTrial({ from, rate: before }: Trial, rate: number, now: number): void {
    const { minGain: gain, verifyAfter: verify } = this.#policy;
    this.#trial = undefined;
    const more = this.#width > from;
    const better = more ? rate >= before * gain : rate * gain >= before;
    if (!better) {
      this.#width = from;
      if (more) this.#futileAt = before;
      this.#startCooldown(now);
    } else if (!more || this.#width === this.#policy.maxTransfers || rate >= this.#policy.sufficientRate)
      this.#nextTrialAt = now + verify;
    this.#triesMore = this.#width === 1 || better === more;
  }

  #startCooldown(now: number): void {
    this.#nextTrialAt = now + this.#cooldown;
    this.#cooldown = Math.min(this.#cooldown * 2, this.#policy.maxCooldown);
  }
}
