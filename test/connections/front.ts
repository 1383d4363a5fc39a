import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

interface FrontOptions {
  /** "/nzbhydra2": what is not below it is not there. */
  readonly path?: string;
  /**
   * It speaks HTTPS, with a certificate that nobody trusts; polite: it says so to who does not; mutual: it wants one of
   * who asks as well.
   */
  readonly tls?: boolean | 'polite' | 'mutual';
  /** What it answers itself, by the path below its own. */
  readonly answers?: Readonly<Record<string, string>>;
  /** A file of test/fixtures/tls. Default: the self-signed one. */
  readonly certificate?: 'cert' | 'expired' | 'loopback' | 'elsewhere';
}

const TLS = join(import.meta.dirname, '../fixtures/tls');

/** A reverse proxy before a server; closed when the test ends. Gives its address, without the path. */
export async function frontOf(
  server: string,
  { path = '', answers = {}, tls = false, certificate = 'cert' }: FrontOptions,
): Promise<string> {
  const { origin } = new URL(server);
  const pass = (from: IncomingMessage, to: ServerResponse) => {
    const asked = from.url ?? '/';
    if (!asked.startsWith(`${path}/`)) {
      to.writeHead(404, { 'content-type': 'text/html' }).end('<html><title>404 Not Found</title></html>');
      return;
    }
    const own = answers[asked.slice(path.length)];
    if (own !== undefined) {
      to.end(own);
      return;
    }
    const { method, headers } = from;
    const onward = request(
      `${origin}${asked.slice(path.length)}`,
      { ...(method !== undefined && { method }), headers },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      },
    );
    onward.on('error', () => to.destroy());
    from.pipe(onward);
  };
  const key = () => ({
    key: readFileSync(join(TLS, 'key.pem')),
    cert: readFileSync(join(TLS, `${certificate}.pem`)),
    requestCert: tls === 'mutual',
  });
  const inner = tls === false ? createServer(pass) : createTlsServer(key(), pass);
  const front = tls === 'polite' ? politely(inner) : inner;
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    inner.closeAllConnections();
    front.close();
  });
  return `${tls === false ? 'http' : 'https'}://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

/** The first byte of a TLS handshake. */
const HANDSHAKE = 0x16;

/** As nginx does: whoever speaks plain HTTP is told so with status 400. */
function politely(secure: Server): NetServer {
  const plain = createServer((_request, response) =>
    response
      .writeHead(400, { 'content-type': 'text/html', connection: 'close' })
      .end('<html><title>400 The plain HTTP request was sent to HTTPS port</title></html>'),
  );
  return createNetServer((socket) => {
    socket.once('data', (first) => {
      socket.pause();
      socket.unshift(first);
      const isSecure = first[0] === HANDSHAKE;
      (isSecure ? secure : plain).emit('connection', socket);
      // What was read already, TLS takes itself.
      if (!isSecure) socket.resume();
    });
  });
}
