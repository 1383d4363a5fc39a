/** The film's picture, as far as its bytes let it run: what a player like Kodi shows of what has arrived. */
export class PlaybackModel {
  readonly #rate: number;
  readonly #startBuffer: number;
  #arrived = 0;
  #played = 0;
  #runs = false;
  #now: number;
  /** When the picture stopped for want of bytes, and when it ran again. */
  readonly #stops: { readonly at: number; until: number }[] = [];
  /** When the first picture was seen; NaN before. */
  #firstPicture = Number.NaN;

  /**
   * Times are milliseconds of one clock.
   * @param rate bytes of the film per millisecond
   * @param startBuffer bytes that have to be there before the picture runs, at first and after each stop
   */
  constructor(rate: number, startBuffer: number, now: number) {
    this.#rate = rate;
    this.#startBuffer = startBuffer;
    this.#now = now;
  }

  get firstPicture(): number {
    return this.#firstPicture;
  }

  /** Bytes that have been shown. */
  get played(): number {
    return this.#played;
  }

  /** Bytes that are there and were not shown yet. */
  get buffered(): number {
    return this.#arrived - this.#played;
  }

  arrive(bytes: number, now: number): void {
    this.advance(now);
    this.#arrived += bytes;
    if (this.#runs || this.buffered < this.#startBuffer) return;
    this.#runs = true;
    const stop = this.#stops.at(-1);
    if (stop === undefined) this.#firstPicture = now;
    else stop.until = now;
  }

  advance(now: number): void {
    const passed = now - this.#now;
    this.#now = now;
    if (!this.#runs) return;
    const lasts = this.buffered / this.#rate;
    this.#played += Math.min(passed, lasts) * this.#rate;
    if (passed < lasts) return;
    this.#runs = false;
    this.#stops.push({ at: now - passed + lasts, until: Infinity });
  }

  /** Milliseconds that the picture stood still in so many after its first. */
  stoodStill(within: number): number {
    const end = Math.min(this.#now, this.#firstPicture + within);
    return this.#stops.reduce((sum, { at, until }) => sum + Math.max(0, Math.min(until, end) - at), 0);
  }
}
