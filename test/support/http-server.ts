import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A real server on a free loopback port, closed with all its connections when the test ends. Gives its base URL. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A base URL at which nothing listens. */
export async function closedPort(): Promise<string> {
  const server = net.createServer((far) => far.unref()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  // The near end of a connection: nobody listens there, and no server of another test is given that port meanwhile.
  const near = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(near, 'connect');
  near.unref();
  return `http://127.0.0.1:${near.localPort}`;
}
