import { maskStreamUrl } from '../resolver.ts';

/** A process tells of its hand-over within minutes, or never. */
export const MAX_STARTED = 100;

/** The streams that have begun to play, the last ones: also when they have ended, their jobs stay (sweep-jobs.ts). */
export class StartedStreams {
  readonly #streams = new Set<string>();

  add(url: string): void {
    const stream = maskStreamUrl(url);
    this.#streams.delete(stream);
    this.#streams.add(stream);
    const [oldest] = this.#streams;
    if (this.#streams.size > MAX_STARTED && oldest !== undefined) this.#streams.delete(oldest);
  }

  /** @param stream As it is announced. */
  has(stream: string): boolean {
    return this.#streams.has(stream);
  }
}
