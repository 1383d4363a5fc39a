import { SourceFailure } from '../../policy/failure.ts';
import type { Framing } from './body-framing.ts';

/** Bytes of one line with a chunk's size. */
const MAX_LINE = 8 * 1024;
/** Bytes of all trailer fields. */
const MAX_TRAILERS = 32 * 1024;

/** At most 2^52 - 1; extensions are ignored (RFC 9112 §7.1.1). */
const SIZE_LINE = /^([\da-f]{1,13})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;

/** The chunked transfer coding (RFC 9112 §7.1). */
export class ChunkedFraming implements Framing {
  run = 0;
  isDone = false;
  /** What comes when there is no run. */
  #next: 'size' | 'data-end' | 'trailer' = 'size';
  #trailers = 0;

  take(bytes: number): void {
    this.run -= bytes;
  }

  parse(bytes: Buffer): number {
    let taken = 0;
    while (!this.isDone && this.run === 0) {
      const length = this.#parseLine(bytes.subarray(taken));
      if (length === 0) break;
      taken += length;
    }
    return taken;
  }

  missing(): string {
    return this.run === 0 ? 'the last chunk is missing' : `${this.run} bytes of a chunk are missing`;
  }

  /** Takes in the line at the beginning; gives its length, or 0 if its end has not come yet. */
  #parseLine(bytes: Buffer): number {
    const end = bytes.indexOf('\r\n');
    if (this.#next === 'data-end' && bytes.length >= 2 && end !== 0)
      throw wrongAnswer('a chunk is longer than it says');
    if (end === -1) {
      if (bytes.length > MAX_LINE) throw wrongAnswer('a line among the chunks is too long');
      return 0;
    }
    if (this.#next === 'size') this.#parseSize(bytes.toString('latin1', 0, end));
    else if (this.#next === 'data-end') this.#next = 'size';
    else this.#parseTrailer(end);
    return end + 2;
  }

  #parseSize(line: string): void {
    const [, digits] = SIZE_LINE.exec(line) ?? [];
    if (digits === undefined) throw wrongAnswer("a chunk's size is malformed");
    this.run = parseInt(digits, 16);
    this.#next = this.run === 0 ? 'trailer' : 'data-end';
  }

  /** Trailer fields are of no use here; the empty line after them ends the body. */
  #parseTrailer(length: number): void {
    this.isDone = length === 0;
    this.#trailers += length;
    if (this.#trailers > MAX_TRAILERS) throw wrongAnswer('the trailer is too long');
  }
}

const wrongAnswer = (what: string): SourceFailure => new SourceFailure('wrong-answer', what);
