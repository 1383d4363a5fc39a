// What a fault server saw and did, so that a test can ask for the load it was put under.

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** The Range header; undefined without one. */
  readonly range: string | undefined;
  readonly headers: ReadonlyMap<string, string>;
  /** Numbered from 0. */
  readonly connection: number;
  /** Milliseconds since the server's start. */
  readonly at: number;
  /** 0 until a head was sent. */
  status: number;
  /** Position of the body's first byte. */
  first: number;
  /** Body bytes so far. */
  sent: number;
  /** When and how the answer ended; undefined while it goes on. */
  endedAt: number | undefined;
  ending: string | undefined;
}

export class RequestLog {
  readonly requests: SeenRequest[] = [];

  /** GETs that are being answered now. */
  get open(): number {
    return this.#gets().filter(({ endedAt }) => endedAt === undefined).length;
  }

  /** Body bytes in all. */
  get bytesSent(): number {
    return this.requests.reduce((sum, { sent }) => sum + sent, 0);
  }

  /** The most GETs that were being answered at one time. */
  get mostOpen(): number {
    const changes = this.#gets().flatMap(({ at, endedAt = Infinity }) => [
      { at, by: 1 },
      { at: endedAt, by: -1 },
    ]);
    changes.sort((a, b) => a.at - b.at || a.by - b.by);
    let [open, most] = [0, 0];
    for (const { by } of changes) {
      open += by;
      most = Math.max(most, open);
    }
    return most;
  }

  #gets(): SeenRequest[] {
    return this.requests.filter(({ method }) => method === 'GET');
  }
}
