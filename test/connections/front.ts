import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

interface FrontOptions {
  /** "/nzbhydra2": what is not below it is not there. */
  readonly path?: string;
  /** It speaks HTTPS, with a certificate that nobody trusts. */
  readonly tls?: boolean;
}

const TLS = join(import.meta.dirname, '../fixtures/tls');

/** A reverse proxy before a server; closed when the test ends. Gives its address, without the path. */
export async function frontOf(server: string, { path = '', tls = false }: FrontOptions): Promise<string> {
  const { origin } = new URL(server);
  const pass = (from: IncomingMessage, to: ServerResponse) => {
    const asked = from.url ?? '/';
    if (!asked.startsWith(`${path}/`)) {
      to.writeHead(404, { 'content-type': 'text/html' }).end('<html><title>404 Not Found</title></html>');
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
  const key = () => ({ key: readFileSync(join(TLS, 'key.pem')), cert: readFileSync(join(TLS, 'cert.pem')) });
  const front = tls ? createTlsServer(key(), pass) : createServer(pass);
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    front.closeAllConnections();
    front.close();
  });
  return `${tls ? 'https' : 'http'}://127.0.0.1:${(front.address() as AddressInfo).port}`;
}
