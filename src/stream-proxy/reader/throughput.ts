/** How fast bytes come while nothing holds them up. */
export class Throughput {
  readonly #onRun: (bytes: number, ms: number) => void;
  #since: number | undefined;
  #bytes = 0;

  /** @param onRun Told of each stretch in which nothing held them up, when it has ended. */
  constructor(onRun: (bytes: number, ms: number) => void) {
    this.#onRun = onRun;
  }

  /** They were held up: what came before tells nothing of now. */
  reset(): void {
    if (this.#since !== undefined && this.#bytes > 0)
      this.#onRun(this.#bytes, performance.now() - this.#since);
    this.#since = undefined;
  }

  add(bytes: number): void {
    if (this.#since === undefined) {
      this.#since = performance.now();
      this.#bytes = 0;
    } else this.#bytes += bytes;
  }

  /** Bytes per millisecond; 0 while nothing is known. */
  get perMillisecond(): number {
    if (this.#since === undefined || this.#bytes === 0) return 0;
    return this.#bytes / Math.max(1, performance.now() - this.#since);
  }
}
