import { CancelledError } from '../../errors/index.ts';

/** Milliseconds for which a request has waited in vain: one that was only just made may be that of a new play. */
const STALLED_AFTER = 500;
/** Milliseconds in which Kodi's curl may ask by itself for what was broken off. */
const RETRY_WINDOW = 3_000;

interface PendingRequest {
  /** The byte of the film that it waits for; undefined: it is for another file. */
  next: number | undefined;
  /** Since when, by performance.now(); Infinity: that has come, and is being taken. */
  since: number;
}

/** The requests of the player that a session is serving. */
export class PlayerRequests {
  readonly #waiting = new Map<AbortController, PendingRequest>();
  /** When requests were broken off that waited for these bytes, by performance.now(). */
  readonly #abortedAt = new Map<number, number>();

  /**
   * @param first The byte of the film that it begins with, undefined for another file. It is aborted at once where the
   * player has let go of that.
   */
  begin(request: AbortController, first: number | undefined): void {
    const now = performance.now();
    this.#waiting.set(request, { next: first, since: now });
    if (first === undefined) return;
    if (now - (this.#abortedAt.get(first) ?? -Infinity) < RETRY_WINDOW)
      request.abort(new CancelledError('person'));
  }

  /** Its next bytes have come; the player takes them when it likes. */
  bytesReady(request: AbortController): void {
    const waiting = this.#waiting.get(request);
    if (waiting !== undefined) waiting.since = Infinity;
  }

  /** So many bytes were taken, and the next ones are waited for. */
  sent(request: AbortController, bytes: number): void {
    const waiting = this.#waiting.get(request);
    if (waiting === undefined) return;
    if (waiting.next !== undefined) waiting.next += bytes;
    waiting.since = performance.now();
  }

  /** @returns whether it was not over yet */
  end(request: AbortController): boolean {
    return this.#waiting.delete(request);
  }

  /** Those for which nothing has come for a while. */
  get stalled(): readonly AbortController[] {
    const latest = performance.now() - STALLED_AFTER;
    return [...this.#waiting].flatMap(([request, { since }]) => (since <= latest ? [request] : []));
  }

  /**
   * The player has been stopped, and cannot end before the requests that it waits for: those are broken off, and their
   * like that it makes by itself.
   */
  abortStalled(): void {
    for (const request of this.stalled) {
      const next = this.#waiting.get(request)?.next;
      if (next !== undefined) this.#abortedAt.set(next, performance.now());
      request.abort(new CancelledError('person'));
    }
  }

  /** The player plays anew: what it asks for now it wants. */
  forgetAborted(): void {
    this.#abortedAt.clear();
  }

  abortAll(reason: unknown): void {
    for (const request of this.#waiting.keys()) request.abort(reason);
  }
}
