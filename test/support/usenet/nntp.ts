import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** One connection to a news server (RFC 3977), as far as posting needs it: one command after the other. */
export class NewsConnection {
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;

  /** @throws when nobody listens, or the server does not allow posting */
  static async open(port: number): Promise<NewsConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const connection = new NewsConnection(socket);
    try {
      await connection.#expect('200');
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    // Whoever waits for a line hears of a broken connection by the lines' end.
    socket.on('error', () => undefined);
    this.#lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  }

  /** Posts an article: headers, an empty line and body, lines ended by CRLF, not yet dot-stuffed. */
  async post(article: Buffer): Promise<void> {
    this.#socket.write('POST\r\n');
    await this.#expect('340');
    this.#socket.write(Buffer.concat([dotStuffed(article), Buffer.from('.\r\n')]));
    await this.#expect('240');
  }

  /** Whether the server has the article. The id goes without angle brackets. */
  async has(messageId: string): Promise<boolean> {
    this.#socket.write(`STAT <${messageId}>\r\n`);
    return (await this.#answer()).startsWith('223');
  }

  close(): void {
    this.#socket.destroy();
  }

  async #expect(status: string): Promise<void> {
    const answer = await this.#answer();
    if (!answer.startsWith(status)) throw new Error(`The news server answered "${answer}", not ${status}.`);
  }

  async #answer(): Promise<string> {
    const line = await this.#lines.next();
    if (line.done === true) throw new Error('The news server closed the connection.');
    return line.value;
  }
}

/** A line that begins with a dot gets a second one (RFC 3977, 3.1.1). */
function dotStuffed(article: Buffer): Buffer {
  return Buffer.from(article.toString('latin1').replace(/^\./gm, '..'), 'latin1');
}
