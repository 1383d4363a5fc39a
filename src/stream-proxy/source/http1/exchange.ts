import { SourceFailure } from '../../policy/failure.ts';
import { MessageBody } from './body.ts';
import type { ConnectionReader, UpstreamConnection } from './connection.ts';
import { framingOf, staysOpen } from './framing.ts';
import { type Head, headLength, parseHead } from './head.ts';
import type { UpstreamResponse } from './types.ts';

/** Interim answers (1xx) before the final one. */
const MAX_INTERIM = 20;

/** The connection ended before any byte of an answer came. */
export class NoResponse extends SourceFailure {}

/**
 * Sends a request and resolves with the answer's head; the connection is then the body's. `release` is called when the
 * connection can serve another request. In every other case the connection is destroyed.
 *
 * @throws SourceFailure unreachable, Unanswered among them, or wrong-answer; the signal's reason when it aborts first.
 */
export function exchangeHead(
  connection: UpstreamConnection,
  request: string,
  signal: AbortSignal,
  release: () => void,
): Promise<UpstreamResponse> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      fail(signal.reason as Error);
    };
    const fail = (error: Error) => {
      signal.removeEventListener('abort', onAbort);
      connection.destroy();
      reject(error);
    };
    const onHead = (head: Head) => {
      const body = bodyAfter(head, connection, release);
      signal.removeEventListener('abort', onAbort);
      resolve({ status: head.status, headers: head.headers, body });
    };
    signal.addEventListener('abort', onAbort, { once: true });
    connection.handTo(new HeadReader(connection, onHead, fail));
    connection.write(request);
  });
}

class HeadReader implements ConnectionReader {
  readonly #connection: UpstreamConnection;
  readonly #onHead: (head: Head) => void;
  readonly #onFailure: (error: Error) => void;
  #interim = 0;

  constructor(
    connection: UpstreamConnection,
    onHead: (head: Head) => void,
    onFailure: (error: Error) => void,
  ) {
    this.#connection = connection;
    this.#onHead = onHead;
    this.#onFailure = onFailure;
  }

  arrived(): void {
    try {
      const head = this.#finalHead();
      if (head !== undefined) this.#onHead(head);
    } catch (error) {
      this.#onFailure(error as Error);
    }
  }

  filled(): void {
    // Never: a head is read into the backlog.
  }

  ended(): void {
    const connection = this.#connection;
    const detail = explain(connection.over?.cause);
    const untouched = this.#interim === 0 && connection.backlog.length === 0;
    const Failure = untouched ? NoResponse : SourceFailure;
    this.#onFailure(new Failure('unreachable', detail, connection.over?.cause));
  }

  /** Takes the final answer's head out of the backlog once it is there. */
  #finalHead(): Head | undefined {
    for (;;) {
      const length = headLength(this.#connection.backlog);
      if (length === undefined) return undefined;
      const head = parseHead(this.#connection.backlog.subarray(0, length));
      this.#connection.skip(length);
      if (head.status >= 200) return head;
      // Nothing was asked for that could switch protocols (RFC 9110 §15.2.2).
      if (head.status === 101) throw new SourceFailure('wrong-answer', 'it switches protocols unasked');
      if (++this.#interim > MAX_INTERIM) throw new SourceFailure('wrong-answer', 'too many interim answers');
    }
  }
}

function bodyAfter(head: Head, connection: UpstreamConnection, release: () => void): MessageBody {
  const keep = staysOpen(head);
  const body = new MessageBody(connection, framingOf(head), () => {
    // What follows a complete body answers no question: nothing on this connection can be trusted any more.
    if (keep && connection.over === undefined && connection.backlog.length === 0) release();
    else connection.destroy();
  });
  connection.pause();
  connection.handTo(body);
  return body;
}

/** With several addresses tried, the error that node gives has a code but no words. */
function explain(cause: (Error & { readonly code?: string }) | undefined): string {
  if (cause === undefined) return 'the connection ended before an answer came';
  return cause.message || (cause.code ?? cause.name);
}
