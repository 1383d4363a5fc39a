import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A loopback port that can be closed and opened again under the same number. */
export interface Port {
  /** http://127.0.0.1:<port> */
  readonly url: string;
  /** Refuses connections from now on and breaks off those that are open. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

export async function openPort(
  serve: (req: IncomingMessage, res: ServerResponse) => void,
  wanted = 0,
): Promise<Port> {
  let server: Server | undefined = await listen(serve, wanted);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async shut() {
      const closing = server;
      server = undefined;
      if (closing !== undefined) await close(closing);
    },
    async open() {
      server ??= await listen(serve, port);
    },
  };
}

function listen(serve: (req: IncomingMessage, res: ServerResponse) => void, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(serve);
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
