import { once } from 'node:events';
import net from 'node:net';

/** The head of an answer. */
export interface Head {
  readonly status: number;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answer extends Head {
  readonly body: Buffer;
}

/** One connection to the proxy on which a test writes what it likes, and reads answer after answer. */
export class Connection {
  readonly socket: net.Socket;
  /** What a decent request names as its host. */
  readonly host: string;
  #chunks: Buffer[] = [];
  #unread = 0;
  #wake: () => void = () => undefined;

  constructor(port: number) {
    this.host = `127.0.0.1:${port}`;
    this.socket = net.connect(port, '127.0.0.1');
    this.socket.on('data', (chunk) => {
      this.#chunks.push(chunk);
      this.#unread += chunk.length;
      this.#wake();
    });
    this.socket.on('error', () => undefined);
    this.socket.once('close', () => {
      this.#wake();
    });
  }

  get isClosed(): boolean {
    return this.socket.closed;
  }

  /** A request of HTTP/1.1 with Host. */
  send(line: string, ...headers: readonly string[]): void {
    this.write([`${line} HTTP/1.1`, `Host: ${this.host}`, ...headers, '', ''].join('\r\n'));
  }

  write(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** The head of the next answer; undefined when the connection is closed instead. */
  async head(): Promise<Head | undefined> {
    for (;;) {
      const all = this.#take(this.#unread);
      const end = all.indexOf('\r\n\r\n');
      this.#chunks = [all.subarray(end < 0 ? 0 : end + 4)];
      this.#unread = this.#chunks[0]?.length ?? 0;
      if (end >= 0) return parseHead(all.toString('latin1', 0, end));
      if (this.isClosed) return undefined;
      await this.#more();
    }
  }

  /** The next answer to a GET, or to a HEAD, which has no body. */
  async answer(method: 'GET' | 'HEAD' = 'GET'): Promise<Answer> {
    const head = await this.head();
    if (head === undefined) throw new Error('closed without an answer');
    const length = method === 'HEAD' || head.status === 304 ? '0' : (head.headers['content-length'] ?? '0');
    return { ...head, body: await this.bytes(Number(length)) };
  }

  /** The next bytes, fewer when the connection closes before. */
  async bytes(count: number): Promise<Buffer> {
    while (this.#unread < count && !this.isClosed) await this.#more();
    return this.#take(Math.min(count, this.#unread));
  }

  /** All that comes until the connection is closed. */
  async rest(): Promise<Buffer> {
    return this.bytes(Infinity);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.socket.destroy();
    await once(this.socket, 'close');
  }

  #take(count: number): Buffer {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all.subarray(count)];
    this.#unread = all.length - count;
    return all.subarray(0, count);
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function parseHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: */, '')]),
  );
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]), headers };
}
