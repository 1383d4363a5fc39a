import { pause } from '../../../src/io/wait.ts';

/** Lets so many bytes per second through; who comes early waits. */
export class TokenBucket {
  readonly #rate: number;
  /** When the bytes that were let through so far are due to have passed. */
  #due = 0;

  /** @param rate Bytes per second. */
  constructor(rate: number) {
    this.#rate = rate;
  }

  async pass(bytes: number, signal: AbortSignal): Promise<void> {
    const now = performance.now();
    this.#due = Math.max(now, this.#due) + (bytes / this.#rate) * 1000;
    if (this.#due > now) await pause(this.#due - now, signal);
  }
}
