import type { IncomingMessage } from 'node:http';
import { type Watchdog, watchdog } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';

/** Bytes that are pulled: nothing flows unless somebody asks, so a slow reader slows the writer. */
export interface ByteStream {
  /** The next bytes, at least one; undefined at the end. One call at a time. */
  next(): Promise<Uint8Array | undefined>;
  /** Frees everything behind it, at once. May be called at any time and more than once. */
  close(): void;
}

/** The first `wanted` bytes of a stream, or fewer when it ends before. */
export async function take(stream: ByteStream, wanted: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let have = 0; have < wanted; ) {
    const chunk = await stream.next();
    if (chunk === undefined) break;
    chunks.push(chunk);
    have += chunk.byteLength;
  }
  return Buffer.concat(chunks).subarray(0, wanted);
}

/** Bytes held per connection before the socket is told to wait, and at which it may go on. */
const HIGH_WATER = 512 * 1024;
const LOW_WATER = 128 * 1024;

interface BodyOptions {
  /** Exactly as many bytes are delivered, or the stream fails. */
  readonly length: number;
  /** Milliseconds of silence, while somebody waits, until the connection counts as dead. */
  readonly stall: number;
  /** Ends the connection at once. */
  readonly signal: AbortSignal;
}

/** The body of an upstream's answer. Fails with SourceFailure `broken` or `stalled`, never ends early. */
export class MessageBody implements ByteStream {
  readonly #message: IncomingMessage;
  readonly #signal: AbortSignal;
  readonly #queue: Uint8Array[] = [];
  readonly #onAbort: () => void;
  readonly #watchdog: Watchdog;
  #queued = 0;
  /** Bytes still to come from the wire. */
  #missing: number;
  #ended = false;
  #stalled = false;
  #wake: (() => void) | undefined;

  constructor(message: IncomingMessage, { length, stall, signal }: BodyOptions) {
    this.#message = message;
    this.#missing = length;
    this.#watchdog = watchdog(stall, () => {
      this.#stalled = true;
      this.#wake?.();
    });
    this.#signal = signal;
    this.#onAbort = () => {
      this.close();
    };
    message.on('data', (chunk: Buffer) => {
      this.#accept(chunk);
    });
    // "error" comes with a truncated body, "close" with every end; the byte count tells which it was.
    message.on('error', () => undefined);
    message.once('close', () => {
      this.#end();
    });
    message.once('end', () => {
      this.#end();
    });
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.close();
  }

  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      this.#signal.throwIfAborted();
      const chunk = this.#queue.shift();
      if (chunk !== undefined) return this.#handOut(chunk);
      if (this.#missing === 0) return undefined;
      if (this.#stalled) throw new SourceFailure('stalled', 'the body went silent');
      if (this.#ended) throw new SourceFailure('broken', `${this.#missing} bytes are missing`);
      await this.#more();
    }
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#watchdog.end();
    this.#queue.length = 0;
    this.#end();
    // A complete answer gives its connection back to the agent; anything else costs the connection.
    if (this.#message.complete) this.#message.resume();
    else this.#message.destroy();
  }

  #accept(chunk: Buffer): void {
    // More than was promised cannot be told from garbage; the promised part stands by its own range.
    const useful = chunk.byteLength > this.#missing ? chunk.subarray(0, this.#missing) : chunk;
    if (useful.byteLength === 0) return;
    this.#missing -= useful.byteLength;
    this.#queued += useful.byteLength;
    this.#queue.push(useful);
    if (this.#queued >= HIGH_WATER) this.#message.pause();
    this.#wake?.();
  }

  #handOut(chunk: Uint8Array): Uint8Array {
    this.#queued -= chunk.byteLength;
    if (this.#queued <= LOW_WATER && this.#message.isPaused()) this.#message.resume();
    return chunk;
  }

  #end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Waits until anything happens. */
  async #more(): Promise<void> {
    this.#watchdog.start();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
    this.#watchdog.stop();
  }
}
