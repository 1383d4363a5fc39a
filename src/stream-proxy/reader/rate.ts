/** How fast bytes come while nothing holds them up. */
export class Rate {
  #since: number | undefined;
  #bytes = 0;

  /** They were held up: what came before tells nothing of now. */
  reset(): void {
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
