import { type BufferPolicy, maxBackBuffer, readAheadBytes } from '../policy/buffer.ts';
import { BLOCK_SIZE } from './block-pool.ts';
import type { BufferWindow } from './player-read.ts';

/** Milliseconds over which the player's rate is measured, at the most and at the least. */
const MAX_RATE_WINDOW = 30_000;
const MIN_RATE_WINDOW = 5_000;

interface PositionMark {
  readonly at: number;
  readonly position: number;
}

/**
 * How the player takes what it reads. One that fills its own buffer needs all that can be read ahead; one that plays on
 * with a full buffer takes at the film's rate, and what it may go back to is worth more than what is far ahead: Kodi
 * itself reads some 20 MB ahead, so that a small seek back lies as far behind our place.
 */
export class PlaybackPace {
  readonly #policy: BufferPolicy;
  #marks: readonly PositionMark[] = [];
  /** Since when nothing was waited for (performance.now()). */
  #calmSince = performance.now();
  /** Where the player has become steady; undefined: it is not. */
  #steadyFrom: number | undefined;
  /** Where a steady player was when it looked into the index, and when that was (performance.now()). */
  #beforeIndexRead: PositionMark | undefined;
  #isThrottled = false;

  constructor(policy: BufferPolicy) {
    this.#policy = policy;
  }

  /** While another film is being opened, only some seconds are read ahead. */
  set isThrottled(restrained: boolean) {
    this.#isThrottled = restrained;
  }

  get isThrottled(): boolean {
    return this.#isThrottled;
  }

  /**
   * It looks into the index, at a position: a seek follows. Until then Kodi goes on with its first connection, and takes
   * all that comes, while it may be about to ask for what lies behind the place where it was.
   */
  indexRead(position: number): void {
    if (this.#steadyFrom !== undefined) this.#beforeIndexRead = { at: performance.now(), position };
  }

  /** From where on backwards is kept what lies behind a player that is at a position. */
  behindFrom(position: number): number {
    return Math.min(position, this.#beforeSeek ?? position);
  }

  /** It waits for bytes. */
  stalled(): void {
    this.#calmSince = performance.now();
    if (this.#beforeSeek === undefined) this.#steadyFrom = undefined;
  }

  /** It is at another place: how fast it went before tells nothing. */
  seeked(): void {
    this.#beforeIndexRead = undefined;
    this.stalled();
    this.#marks = [];
  }

  /** It has come to a position, and so many bytes lie before it in memory. */
  advanced(position: number, ahead: number): void {
    const at = performance.now();
    this.#marks = [...this.#marks.filter((mark) => at - mark.at <= MAX_RATE_WINDOW), { at, position }];
    const isCalm = at - this.#calmSince >= this.#policy.steadyAfter;
    if (isCalm && isAlmostAll(ahead, readAheadBytes(this.#policy))) this.#steadyFrom ??= position;
  }

  /** How much lies before and behind a player at a position. */
  windowAt(position: number): BufferWindow {
    const policy = this.#policy;
    const passed = this.#steadyFrom === undefined ? 0 : this.behindFrom(position) - this.#steadyFrom;
    const behind = Math.min(maxBackBuffer(policy), policy.backBuffer + Math.max(0, passed));
    // What lies before a place that is about to be left is of little use.
    const ahead = this.#beforeSeek === undefined ? readAheadBytes(policy, behind) : 2 * BLOCK_SIZE;
    const rate = this.#isThrottled ? this.#rate : undefined;
    if (rate === undefined) return { ahead, behind };
    return { ahead: Math.min(ahead, rate * policy.throttledSeconds), behind };
  }

  get #beforeSeek(): number | undefined {
    const looked = this.#beforeIndexRead;
    const isRecent = looked !== undefined && performance.now() - looked.at < this.#policy.maxSeekDelay;
    return isRecent ? looked.position : undefined;
  }

  /** Bytes per second that the player took lately; undefined while that is not known. */
  get #rate(): number | undefined {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < MIN_RATE_WINDOW) return undefined;
    return ((last.position - first.position) * 1000) / (last.at - first.at);
  }
}

/** Bytes that may be missing of a full buffer: a transfer that stands still goes on when there is room for more than these. */
const MAX_SHORTFALL = 3 * 1024 * 1024;

/** Whether so much is as good as all of it. */
export const isAlmostAll = (bytes: number, all: number): boolean =>
  bytes >= all - Math.min(MAX_SHORTFALL, all / 4);
