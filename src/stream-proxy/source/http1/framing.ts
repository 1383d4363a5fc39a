import { SourceFailure } from '../../policy/failure.ts';
import type { Framing } from './body-framing.ts';
import { Chunks } from './chunked.ts';
import type { Head } from './head.ts';

/** How the body after this head is framed. @throws SourceFailure wrong-answer */
export function framingOf({ minor, status, headers }: Head): Framing {
  if (status === 204 || status === 304) return new Counted(0);
  const coding = headers.get('transfer-encoding');
  const length = headers.get('content-length');
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') throw wrong('it uses an unknown transfer coding');
    // Either hints at an attempt to make two readers see different bodies (RFC 9112 §6.1).
    if (length !== undefined) throw wrong('it tells both a length and a transfer coding');
    if (minor === 0) throw wrong('it uses a transfer coding in HTTP/1.0');
    return new Chunks();
  }
  return length === undefined ? new UntilClose() : new Counted(Number(length));
}

/** Whether the connection may serve another request after this answer (RFC 9112 §9.3). */
export function staysOpen({ minor, headers }: Head): boolean {
  const options = (headers.get('connection') ?? '').toLowerCase().split(',');
  return minor === 1 && !options.some((option) => option.trim() === 'close');
}

/** Content-Length. */
class Counted implements Framing {
  run: number;

  constructor(length: number) {
    this.run = length;
  }

  get done(): boolean {
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
class UntilClose implements Framing {
  readonly run = Infinity;
  readonly done = false;

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

const wrong = (what: string): SourceFailure => new SourceFailure('wrong-answer', what);
