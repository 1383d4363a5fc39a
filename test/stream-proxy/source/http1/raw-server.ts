import { readFileSync } from 'node:fs';
import net, { type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { onTestFinished } from 'vitest';

// A server that says, byte for byte, what a test lets it say, and counts what is open.

const FIXTURES = join(import.meta.dirname, '../../../fixtures/tls');

export interface RawServer {
  readonly url: URL;
  /** The requests' heads in the order of their coming. */
  readonly requests: readonly string[];
  /** Connections that were ever accepted. */
  readonly accepted: () => number;
  /** Those that are open now. */
  readonly open: () => number;
  /** Ends the listening and everything open. */
  readonly stop: () => Promise<void>;
}

/** Answers one request; `nth` counts the requests from 0. */
export type Answering = (socket: Socket, nth: number) => unknown;

export async function rawServer(
  answer: Answering,
  { secure = false, host = '127.0.0.1' }: { secure?: boolean; host?: string } = {},
): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let accepted = 0;
  const serve = (socket: Socket) => {
    accepted++;
    sockets.add(socket);
    socket.setNoDelay(true);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        requests.push(text.slice(0, end + 4));
        text = text.slice(end + 4);
        void answer(socket, requests.length - 1);
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const server = secure
    ? tls.createServer(
        {
          key: readFileSync(join(FIXTURES, 'key.pem')),
          cert: readFileSync(join(FIXTURES, 'cert.pem')),
          ALPNProtocols: ['h2', 'http/1.1'],
        },
        serve,
      )
    : net.createServer(serve);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(
      `${secure ? 'https://localhost' : `http://${host.includes(':') ? `[${host}]` : host}`}:${port}/film.mkv?a=b%20c`,
    ),
    requests,
    accepted: () => accepted,
    open: () => sockets.size,
    stop,
  };
}
