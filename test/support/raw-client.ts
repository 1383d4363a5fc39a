import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import { resetSocket } from './reset-socket.ts';

// An HTTP/1.1 client down to the bytes: it tells a body that ended as promised from one that was cut, reads no further
// than it is asked to, and believes nothing.

export interface RawHead {
  readonly status: number;
  /** By lower-case names; a name that comes twice is joined by ", ". */
  readonly headers: ReadonlyMap<string, string>;
}

/** Nothing came in time. */
export class SilenceError extends Error {}

const END_OF_HEAD = '\r\n\r\n';
const MAX_HEAD = 64 * 1024;

export class RawClient {
  readonly #socket: Socket;
  /** Read off the socket, not yet handed out. */
  #rest: Buffer = Buffer.alloc(0);
  #over = false;
  #wake: (() => void) | undefined;

  /** Connects to 127.0.0.1; a refused connection shows as one that ended. */
  constructor(port: number, options: { readonly tls?: boolean } = {}) {
    const where = { port, host: '127.0.0.1' };
    this.#socket =
      options.tls === true ? tls.connect({ ...where, rejectUnauthorized: false }) : net.connect(where);
    const wake = () => this.#wake?.();
    const onOver = () => {
      this.#over = true;
      wake();
    };
    this.#socket
      .on('error', () => undefined)
      .on('readable', wake)
      .on('end', onOver)
      .on('close', onOver);
  }

  /** Whether the connection has ended, and all that came was handed out. */
  get over(): boolean {
    return this.#over && this.#rest.length === 0;
  }

  /** Bytes that have come and were not handed out. */
  get pending(): number {
    return this.#rest.length + this.#socket.readableLength;
  }

  send(method: string, path: string, headers: Readonly<Record<string, string>> = {}): void {
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`${method} ${path} HTTP/1.1\r\n${fields.join('')}\r\n`);
  }

  /** The next head; undefined when the connection ends before it is whole. @throws SilenceError */
  async head(milliseconds: number): Promise<RawHead | undefined> {
    let text = '';
    for (;;) {
      const end = text.indexOf(END_OF_HEAD);
      if (end >= 0) {
        this.#rest = Buffer.from(text.slice(end + END_OF_HEAD.length), 'latin1');
        return parseHead(text.slice(0, end));
      }
      if (text.length > MAX_HEAD) throw new RangeError('a head of more than 64 KiB');
      const chunk = await this.read(MAX_HEAD, milliseconds);
      if (chunk === undefined) return undefined;
      text += chunk.toString('latin1');
    }
  }

  /** The next bytes, one to `most` of them; undefined when the connection has ended. @throws SilenceError */
  async read(most: number, milliseconds: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const chunk = this.#socket.read() as Buffer | null;
      if (chunk !== null) this.#rest = chunk;
      else if (this.#over) return undefined;
      else await this.#event(milliseconds);
    }
    const bytes = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(bytes.length);
    return bytes;
  }

  close(how: 'fin' | 'reset' = 'fin'): void {
    if (how === 'reset') resetSocket(this.#socket);
    else this.#socket.destroy();
  }

  async #event(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new SilenceError(`nothing came for ${milliseconds} ms`));
      }, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

function parseHead(text: string): RawHead {
  const [line = '', ...fields] = text.split('\r\n');
  const headers = new Map<string, string>();
  for (const field of fields) {
    const colon = field.indexOf(':');
    const name = field.slice(0, colon).toLowerCase();
    const value = field.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1]), headers };
}
