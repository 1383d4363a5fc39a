import { SourceFailure } from '../../policy/failure.ts';
import type { Framing } from './body-framing.ts';
import { ChunkedFraming } from './chunked.ts';
import type { Head } from './head.ts';

/** How the body after this head is framed. @throws SourceFailure wrong-answer */
export function framingOf({ minor, status, headers }: Head): Framing {
  if (status === 204 || status === 304) return new LengthFraming(0);
  const coding = headers.get('transfer-encoding');
  const length = headers.get('content-length');
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') throw wrongAnswer('it uses an unknown transfer coding');
    // Either hints at an attempt to make two readers see different bodies (RFC 9112 §6.1).
    if (length !== undefined) throw wrongAnswer('it tells both a length and a transfer coding');
    if (minor === 0) throw wrongAnswer('it uses a transfer coding in HTTP/1.0');
    return new ChunkedFraming();
  }
  return length === undefined ? new CloseFraming() : new LengthFraming(Number(length));
}

/** Whether the connection may serve another request after this answer (RFC 9112 §9.3). */
export function staysOpen({ minor, headers }: Head): boolean {
  const options = (headers.get('connection') ?? '').toLowerCase().split(',');
  return minor === 1 && !options.some((option) => option.trim() === 'close');
}

/** Content-Length. */
class LengthFraming implements Framing {
  run: number;

  constructor(length: number) {
    this.run = length;
  }

  get isDone(): boolean {
    return this.run === 0;
  }

  take(bytes: number): void {
    this.run -= bytes;
  }

  parse(): number {
    return 0;
  }

  missing(): string {
    return `${this.run} bytes are missing`;
  }
}

/** Until the server ends the connection. */
class CloseFraming implements Framing {
  readonly run = Infinity;
  readonly isDone = false;

  take(): void {
    // Whatever comes is the body's.
  }

  parse(): number {
    return 0;
  }

  missing(): undefined {
    return undefined;
  }
}

const wrongAnswer = (what: string): SourceFailure => new SourceFailure('wrong-answer', what);
