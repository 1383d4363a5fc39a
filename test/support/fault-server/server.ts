import { once } from 'node:events';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { resetSocket } from '../reset-socket.ts';
import { serveConnection } from './connection.ts';
import type { SeenRequest } from './log.ts';
import { type Fault, NO_FAULTS, type Script } from './script.ts';
import { type ServedFile, ServerState } from './server-state.ts';

export interface FaultServerOptions {
  readonly files: readonly ServedFile[];
  /** Until `play` brings another one; absent: nothing goes wrong. */
  readonly script?: Script;
  /** Every request is first sent on, with 302, to another port of this server. */
  readonly redirect?: boolean;
  /** PEM; makes it an https server. */
  readonly tls?: { readonly key: Buffer; readonly cert: Buffer };
}

/** A real upstream on loopback that serves files as a script of faults says. */
export interface FaultServer {
  readonly port: number;
  /** The address of the first file. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Connections that are open now, whether or not one is in use. */
  readonly connections: number;
  /** GETs that are being answered now, and the most that ever were at one time. */
  readonly open: number;
  readonly mostOpen: number;
  /** Body bytes in all. */
  readonly bytesSent: number;
  /** How often each fault of the script has struck. */
  readonly struck: ReadonlyMap<Fault, number>;
  /** From now on it behaves like this, also in the bodies under way; all budgets are fresh. */
  play(script: Script): void;
  /** Closes the port and all connections, for so many milliseconds or until `comeBack`. */
  goAway(milliseconds?: number): void;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

export async function startFaultServer(options: FaultServerOptions): Promise<FaultServer> {
  const world = new ServerState(options.files, options.script ?? NO_FAULTS);
  const host = new Host(world, options);
  await host.start();
  const url = `${host.origin}${options.files[0]?.path ?? '/'}`;
  return {
    port: host.port,
    url,
    requests: world.log.requests,
    get connections() {
      return world.sockets.size;
    },
    get open() {
      return world.log.open;
    },
    get mostOpen() {
      return world.log.mostOpen;
    },
    get bytesSent() {
      return world.log.bytesSent;
    },
    get struck() {
      return world.struck;
    },
    play: (script) => {
      world.script = script;
    },
    goAway: (milliseconds) => {
      host.goAway(milliseconds);
    },
    comeBack: () => host.comeBack(),
    close: () => host.close(),
  };
}

/** The listening sockets. */
class Host {
  readonly #world: ServerState;
  readonly #options: FaultServerOptions;
  readonly #main: Server;
  /** Where a redirect leads. */
  readonly #second: Server | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #connections = 0;
  port = 0;

  constructor(world: ServerState, options: FaultServerOptions) {
    this.#world = world;
    this.#options = options;
    this.#second = options.redirect === true ? this.#server(undefined) : undefined;
    const second = this.#second;
    this.#main = this.#server(second && (() => this.#originOf(portOf(second))));
  }

  get origin(): string {
    return this.#originOf(this.port);
  }

  async start(): Promise<void> {
    await listen(this.#main, 0);
    this.port = portOf(this.#main);
    if (this.#second !== undefined) await listen(this.#second, 0);
  }

  goAway(milliseconds?: number): void {
    this.#main.close();
    for (const socket of this.#world.sockets) resetSocket(socket);
    if (milliseconds === undefined) return;
    this.#timer = setTimeout(() => {
      this.comeBack().catch(() => undefined);
    }, milliseconds);
  }

  async comeBack(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#closed && !this.#main.listening) await listen(this.#main, this.port);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const servers = [this.#main, ...(this.#second ? [this.#second] : [])];
    const closed = servers.filter(({ listening }) => listening).map((server) => once(server, 'close'));
    for (const server of servers) server.close();
    for (const socket of this.#world.sockets) socket.destroy();
    await Promise.all(closed);
  }

  #originOf(port: number): string {
    return `${this.#options.tls === undefined ? 'http' : 'https'}://${HOST}:${port}`;
  }

  #server(redirectTo: (() => string) | undefined): Server {
    const onConnection = (socket: Socket) => {
      this.#world.sockets.add(socket);
      socket.once('close', () => this.#world.sockets.delete(socket));
      socket.setNoDelay(true);
      serveConnection({
        world: this.#world,
        socket,
        number: this.#connections++,
        goAway: (milliseconds) => {
          this.goAway(milliseconds);
        },
        redirectTo,
      });
    };
    const { tls: pems } = this.#options;
    return pems === undefined ? net.createServer(onConnection) : tls.createServer(pems, onConnection);
  }
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
