import type { ServerResponse } from 'node:http';
import { CancelledError } from '../../errors/index.ts';
import type { Session } from '../session/session.ts';

/** A session that is being opened again, for as long as somebody waits for it. */
export class Reopening {
  readonly #session: Promise<Session>;
  readonly #abandoned = new AbortController();
  #waiting = 0;

  /** @param open Its signal aborts when the last one who waited has left. */
  constructor(open: (left: AbortSignal) => Promise<Session>) {
    this.#session = open(this.#abandoned.signal);
  }

  /** False: all have left, and it comes to nothing. */
  get isWanted(): boolean {
    return !this.#abandoned.signal.aborted;
  }

  /** The session, for whom this answer is meant. Rejects as the opening does. */
  async waitFor(response: ServerResponse): Promise<Session> {
    const left = () => {
      this.#waiting--;
      if (this.#waiting === 0) this.#abandoned.abort(new CancelledError('person'));
    };
    this.#waiting++;
    response.once('close', left);
    try {
      return await this.#session;
    } finally {
      response.off('close', left);
    }
  }
}
