import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CancelledError } from '../../errors/index.ts';
import { ConnectionLimit, type ConnectionLimits } from '../../io/connection-limit.ts';
import type { Logger } from '../../log/index.ts';
import { type ApiContext, answerApi } from './api.ts';
import { guard } from './guard.ts';
import { refuse } from './json-answer.ts';
import { sendPage } from './page.ts';
import { asPhoneRefusal, foreignRefusal, tooManyConnectionsRefusal } from './refusal.ts';

/** A phone's browser opens six connections, and sends no second request before the first is answered. */
const CONNECTIONS: ConnectionLimits = { connections: 24, pipelined: 16 };
/** Milliseconds for the head, and for the whole, of a request: who dribbles is cut off. */
const HEAD_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 5_000;
/** Milliseconds in which somebody has to take some of the page that is sent: who takes none is cut off as well. */
const UNREAD_TIMEOUT_MS = 5_000;
/** Bytes. */
const MAX_HEAD = 8 * 1024;

export interface PhoneServer {
  /** What it serves at: "192.168.1.10:41234". */
  readonly authority: string;
  readonly port: number;
  /** Ends it with all its connections, and with whatever is under way for them. */
  close(): Promise<void>;
}

/** Where to listen; port 0: at any. */
export interface ListenAddress {
  readonly address: string;
  readonly port: number;
  /** Absent: what a browser needs. */
  readonly connections?: Partial<ConnectionLimits> | undefined;
}

/**
 * The server of the set-up: it listens at one address of the local network, at another port where that one is taken, and
 * knows this page and nothing else.
 */
export async function openPhoneServer(
  place: ListenAddress,
  context: Omit<ApiContext, 'log'>,
  log: Logger,
): Promise<PhoneServer> {
  const ended = new AbortController();
  const underWay = new Set<Promise<void>>();
  const connections = new ConnectionLimit({ ...CONNECTIONS, ...place.connections });
  let authority = '';
  const server = createServer(
    { maxHeaderSize: MAX_HEAD, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      if (!connections.admit(request.socket, response)) {
        refuse(response, tooManyConnectionsRefusal());
        return;
      }
      const answered = answer({ ...context, log }, { request, response, authority, ended: ended.signal })
        .catch((error: unknown) => {
          log.error('the set-up page failed', error);
          response.destroy();
        })
        .finally(() => underWay.delete(answered));
      underWay.add(answered);
    },
  );
  connections.watch(server);
  server.headersTimeout = HEAD_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = IDLE_TIMEOUT_MS;
  await listen(server, place).catch(async (error: unknown) => {
    if (place.port === 0) throw error;
    await listen(server, { ...place, port: 0 });
  });
  // One connection could not be taken, as where the system has no more files to open: the others go on.
  server.on('error', (error) => {
    log.warning(`the set-up page could not take a connection: ${error.message}`);
  });
  const at = server.address() as AddressInfo;
  authority = authorityOf(at);
  return {
    authority,
    port: at.port,
    close: async () => {
      ended.abort(new CancelledError('person'));
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      // What was about to be stored is stored by then, or never.
      await Promise.all(underWay);
    },
  };
}

const authorityOf = ({ address, port, family }: AddressInfo): string =>
  family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;

function listen(server: Server, { address: host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly authority: string;
  readonly ended: AbortSignal;
}

async function answer(context: ApiContext, { request, response, authority, ended }: Call): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort(new CancelledError('person'));
  });
  const signal = AbortSignal.any([gone.signal, ended]);
  try {
    guard(request, authority);
    const [path = ''] = (request.url ?? '').split('?');
    if (path.startsWith('/api/')) await answerApi(context, path, { request, response, signal });
    else {
      response.setTimeout(UNREAD_TIMEOUT_MS, () => response.destroy());
      if (request.method === 'POST' || !sendPage(response, path, request.method))
        throw foreignRefusal(404, 'There is no such page.');
    }
  } catch (error) {
    if (signal.aborted) return;
    const refusal = asPhoneRefusal(error);
    if (refusal.status >= 500) context.log.error('the set-up page could not do what was asked', error);
    refuse(response, refusal);
  }
}
