import { sessionId } from './session-id.ts';

/** Milliseconds between a request and the start of the play that it belongs to, however late the media centre tells it. */
const NEAR_MS = 1_000;

/**
 * What the player has begun to open last. Of a play that fails within milliseconds it tells the start, but no longer the
 * file: then the time says whose start it was.
 */
export class LastOpened {
  #file = '';
  #at = Number.NEGATIVE_INFINITY;

  add(file: string): void {
    this.#file = file;
    this.#at = performance.now();
  }

  /** @param asked performance.now() at the request for the stream. */
  matches(url: string, asked: number): boolean {
    if (this.#file !== '') return sessionId(this.#file) === sessionId(url);
    return Math.abs(this.#at - asked) <= NEAR_MS;
  }
}
