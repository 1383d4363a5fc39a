import http, { type Server } from 'node:http';
import { asSlipstreamError } from '../../errors/index.ts';
import type { Exchange, ProxyContext } from '../stages.ts';
import { type Refusal, refuse } from './answer.ts';
import { isForUs } from './authorise.ts';

/** All in milliseconds unless said otherwise. */
export interface ServerLimits {
  /** For the head of a request, and for all of it. A player sends both at once; a slow sender is no player. */
  readonly headTime: number;
  readonly requestTime: number;
  /** How long a connection may stay unused. */
  readonly idle: number;
  /** How often the limits above are looked after. */
  readonly check: number;
  /** Bytes of a request's head. */
  readonly headBytes: number;
  /** Bytes that may wait for the player per connection; small, because more would only hide that it is slow. */
  readonly writeAhead: number;
  /** Connections at a time; Kodi uses at most three. */
  readonly connections: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headTime: 10_000,
  requestTime: 15_000,
  idle: 60_000,
  check: 2_000,
  headBytes: 16 * 1024,
  writeAhead: 256 * 1024,
  connections: 64,
};

/** The proxy's HTTP server, not yet listening. */
export function createProxyServer(context: ProxyContext, limits: ServerLimits): Server {
  const server = http.createServer(
    {
      headersTimeout: limits.headTime,
      requestTimeout: limits.requestTime,
      keepAliveTimeout: limits.idle,
      connectionsCheckingInterval: limits.check,
      maxHeaderSize: limits.headBytes,
      highWaterMark: limits.writeAhead,
    },
    (request, response) => {
      route(context, { request, response }).catch((error: unknown) => {
        context.log.error('a request to the proxy failed', asSlipstreamError(error));
        response.destroy();
      });
    },
  );
  // A paused player holds its connection for hours without a byte.
  server.timeout = 0;
  server.maxConnections = limits.connections;
  return server;
}

const STREAM = /^\/stream\/([0-9a-f]{32})\/[^/]+$/;

async function route(context: ProxyContext, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  // A connection that is lost reports it to whoever uses it; without a listener it would end the process.
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  if (!isForUs(request, context.port)) {
    refuse(response, 403, FOREIGN_HOST);
    return;
  }
  const path = (request.url ?? '').replace(/\?.*$/s, '');
  if (path === '/prepare') await routePrepare(context, exchange);
  else if (path === '/status') routeStatus(context, exchange);
  else if (path.startsWith('/stream/')) await routeStream(context, exchange, path);
  else if (path.startsWith('/hls/')) refuse(response, 404, NO_HLS);
  else refuse(response, 404, NO_SUCH_PATH);
}

async function routePrepare(context: ProxyContext, exchange: Exchange): Promise<void> {
  if (!allows(exchange, ['POST']) || !authorised(context, exchange)) return;
  await context.stages.handlePrepare(context, exchange);
}

function routeStatus(context: ProxyContext, exchange: Exchange): void {
  if (!allows(exchange, ['GET']) || !authorised(context, exchange)) return;
  context.stages.serveStatus(context, exchange);
}

async function routeStream(context: ProxyContext, exchange: Exchange, path: string): Promise<void> {
  if (!allows(exchange, ['GET', 'HEAD'])) return;
  const session = context.sessions.use(STREAM.exec(path)?.[1] ?? '');
  if (session === undefined) refuse(exchange.response, 404, NO_SUCH_STREAM);
  else await context.stages.serveStream(context, { ...exchange, session });
}

function allows({ request, response }: Exchange, methods: readonly string[]): boolean {
  if (methods.includes(request.method ?? '')) return true;
  refuse(response, 405, WRONG_METHOD, { allow: methods.join(', ') });
  return false;
}

function authorised({ stages, token }: ProxyContext, { request, response }: Exchange): boolean {
  if (stages.authorise(request, token)) return true;
  refuse(response, 401, NO_TOKEN, { 'www-authenticate': 'Bearer' });
  return false;
}

const PLAY_AGAIN = 'Start the playback again.';

const FOREIGN_HOST: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'The request is meant for another host.',
  next: 'Use the address exactly as Slipstream gave it.',
};
const NO_TOKEN: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'The request does not carry the token of this proxy.',
  next: PLAY_AGAIN,
};
const NO_SUCH_STREAM: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'This stream has ended, or never was.',
  next: PLAY_AGAIN,
};
const NO_HLS: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'This proxy serves no HLS.',
  next: 'Use the stream address.',
};
const NO_SUCH_PATH: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'The proxy serves nothing at this path.',
  next: PLAY_AGAIN,
};
const WRONG_METHOD: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'The proxy does not take this method here.',
  next: PLAY_AGAIN,
};
