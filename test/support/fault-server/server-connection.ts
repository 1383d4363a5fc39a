import type { Socket } from 'node:net';
import { resetSocket } from '../reset-socket.ts';

/** The server's end of one connection: sending with backpressure, and the ways to end it. */
export class ServerConnection {
  readonly #socket: Socket;
  readonly #gone = new AbortController();
  /** Why this side ended it; undefined when the other side did. */
  reason: string | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    // A lost connection reports it here; "close" follows.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#gone.abort(new Error('the connection is gone'));
    });
  }

  /** Aborts when the connection is gone, whoever ended it. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Sends, and waits until the socket wants more. After `idle` milliseconds in which it did not, the connection ends. */
  async send(bytes: Uint8Array | string, idle = Infinity): Promise<void> {
    this.gone.throwIfAborted();
    if (this.#socket.write(bytes)) return;
    if (Number.isFinite(idle)) {
      const onTimeout = () => {
        this.reset('idle');
      };
      this.#socket.setTimeout(idle, onTimeout);
      await this.#event((done) => this.#socket.once('drain', done)).finally(() => {
        this.#socket.setTimeout(0).off('timeout', onTimeout);
      });
    } else await this.#event((done) => this.#socket.once('drain', done));
  }

  /** All that was sent has left this process. */
  async flushed(): Promise<void> {
    if (this.#socket.writableLength > 0)
      await this.#event((done) => {
        this.#socket.write('', done);
      });
  }

  /** Ends it with FIN. */
  finish(reason: string): void {
    this.reason = reason;
    this.#socket.destroySoon();
  }

  /** Ends it with RST. */
  reset(reason: string): void {
    this.reason = reason;
    resetSocket(this.#socket);
  }

  async #event(subscribe: (done: () => void) => void): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const onGone = () => {
        reject(this.gone.reason as Error);
      };
      this.gone.throwIfAborted();
      this.gone.addEventListener('abort', onGone, { once: true });
      subscribe(() => {
        this.gone.removeEventListener('abort', onGone);
        resolve();
      });
    });
  }
}
