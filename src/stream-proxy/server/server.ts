import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { asSlipstreamError } from '../../errors/index.ts';
import { ConnectionLimit, type ConnectionLimits } from '../../io/connection-limit.ts';
import type { Exchange, ProxyContext } from '../stages.ts';
import { refuse } from './answer.ts';
import { isForUs, targetOf } from './authorise.ts';
import { replacePlan } from './plan.ts';
import {
  CROWDED,
  FOREIGN_HOST,
  NO_HLS,
  NO_SUCH_PATH,
  NO_SUCH_STREAM,
  NO_TOKEN,
  NOT_ENCODED,
  SEVERAL_HOSTS,
  WRONG_METHOD,
} from './refusals.ts';
import { reopened } from './reopen.ts';

/** All in milliseconds unless said otherwise. */
export interface ServerLimits extends ConnectionLimits {
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
}

export const SERVER_LIMITS: ServerLimits = {
  headTime: 10_000,
  requestTime: 15_000,
  idle: 60_000,
  check: 2_000,
  headBytes: 16 * 1024,
  writeAhead: 256 * 1024,
  // Kodi uses at most three, and never sends a second request before the first is answered.
  connections: 64,
  pipelined: 16,
};

/**
 * The proxy's HTTP server, not yet listening. What is no HTTP is answered by Node: 400, 408, 417 or 431, then it closes;
 * CONNECT is closed without an answer, and Upgrade is ignored.
 */
export function createProxyServer(context: ProxyContext, limits: ServerLimits): Server {
  const server = http.createServer({
    headersTimeout: limits.headTime,
    requestTimeout: limits.requestTime,
    keepAliveTimeout: limits.idle,
    connectionsCheckingInterval: limits.check,
    maxHeaderSize: limits.headBytes,
    highWaterMark: limits.writeAhead,
  });
  // A paused player holds its connection for hours without a byte.
  server.timeout = 0;
  const connections = new ConnectionLimit(limits);
  connections.watch(server);
  const take = (request: IncomingMessage, response: ServerResponse) => {
    // A connection that is lost reports it to whoever uses it; without a listener it would end the process.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    if (connections.admit(request.socket, response)) {
      inTurn(response, () => {
        answer(context, { request, response });
      });
    } else turnAway(context, { request, response });
  };
  server.on('request', take);
  // Otherwise Node asks for the body of a request that is to be refused.
  server.on('checkContinue', take);
  return server;
}

/**
 * The answers of a connection are given in order (RFC 9112 §9.3.2). A request is begun when its turn has come: before,
 * it would read from the upstream for nobody, and would not learn that the player has left.
 */
function inTurn(response: ServerResponse, begin: () => void): void {
  if (response.socket === null) response.once('socket', begin);
  else begin();
}

/** Of a request for which there is no room, whatever it is for. */
function turnAway(context: ProxyContext, exchange: Exchange): void {
  const target = targetOf(exchange.request);
  if (isForUs(target, context.port)) tellRefusal(context, exchange, target.path);
  refuse(exchange.response, 503, CROWDED, { 'retry-after': '1' });
}

function answer(context: ProxyContext, exchange: Exchange): void {
  route(context, exchange).catch((error: unknown) => {
    context.log.error('a request to the proxy failed', asSlipstreamError(error));
    exchange.response.destroy();
  });
}

const STREAMS = '/stream/';
const STREAM = /^\/stream\/([0-9a-f]{32})\/[^/]+$/;
const PLAN = /^\/stream\/([0-9a-f]{32})\/plan$/;
const SUBTITLE = /^\/stream\/([0-9a-f]{32})\/sub\/(\d{1,3})\/([^/]+)$/;

async function route(context: ProxyContext, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const target = targetOf(request);
  if (target.hosts.length > 1) {
    refuse(response, 400, SEVERAL_HOSTS);
    return;
  }
  if (!isForUs(target, context.port)) {
    refuse(response, 403, FOREIGN_HOST);
    return;
  }
  // Node.js 20.19 lets a path through that is not percent-encoded; later versions refuse it (RFC 9112 §3.2).
  if (!/^[!-~]*$/.test(target.path)) {
    refuse(response, 400, NOT_ENCODED);
    return;
  }
  if (target.path === '/prepare') {
    await routePrepare(context, exchange);
    return;
  }
  if (request.method === 'PUT' && PLAN.test(target.path)) {
    await routePlan(context, exchange, target.path);
    return;
  }
  // A body means nothing here, but as long as it is not read, nobody notices that the player has left.
  request.resume();
  if (target.path === '/status') routeStatus(context, exchange);
  else if (target.path.startsWith(STREAMS)) {
    tellRefusal(context, exchange, target.path);
    await routeStream(context, exchange, target.path);
  } else if (target.path.startsWith('/hls/')) refuse(response, 404, NO_HLS);
  else refuse(response, 404, NO_SUCH_PATH);
}

async function routePrepare(context: ProxyContext, exchange: Exchange): Promise<void> {
  if (!allows(exchange, ['POST']) || !authorised(context, exchange)) return;
  if (exchange.request.headers.expect !== undefined) exchange.response.writeContinue();
  await context.stages.handlePrepare(context, exchange);
}

async function routePlan(context: ProxyContext, exchange: Exchange, path: string): Promise<void> {
  if (!authorised(context, exchange)) return;
  const session = context.sessions.use(PLAN.exec(path)?.[1] ?? '');
  if (session === undefined) refuse(exchange.response, 404, NO_SUCH_STREAM);
  else await replacePlan({ ...exchange, session });
}

function routeStatus(context: ProxyContext, exchange: Exchange): void {
  if (!allows(exchange, ['GET', 'HEAD']) || !authorised(context, exchange)) return;
  context.stages.serveStatus(context, exchange);
}

async function routeStream(context: ProxyContext, exchange: Exchange, path: string): Promise<void> {
  if (exchange.request.method === 'DELETE') {
    endStream(context, exchange, path);
    return;
  }
  if (!allows(exchange, ['GET', 'HEAD'])) return;
  const [, of = '', group = '', name = ''] = SUBTITLE.exec(path) ?? [];
  const id = of === '' ? (STREAM.exec(path)?.[1] ?? '') : of;
  const known = context.sessions.use(id);
  if (of === '') {
    const session = known ?? (await reopened(context, exchange, id));
    if (session !== undefined) await context.stages.serveStream(context, { ...exchange, session });
  } else if (known === undefined) refuse(exchange.response, 404, NO_SUCH_STREAM);
  else {
    const wanted = { group: Number(group), name: decoded(name) };
    await context.stages.serveSubtitle(context, { ...exchange, session: known }, wanted);
  }
}

/** A player gives up upon that of a stream; not without a subtitle, nor when a range is outside the file. */
function tellRefusal(context: ProxyContext, { request, response }: Exchange, path: string): void {
  if (!path.startsWith(STREAMS) || request.method === 'DELETE' || SUBTITLE.test(path)) return;
  response.once('finish', () => {
    if (response.statusCode >= 400 && response.statusCode !== 416) context.onStreamRefused();
  });
}

/** Whoever has prepared a stream does not want it after all. One that is not there has ended. */
function endStream(context: ProxyContext, exchange: Exchange, path: string): void {
  if (!authorised(context, exchange)) return;
  context.sessions.drop(STREAM.exec(path)?.[1] ?? '');
  exchange.response.writeHead(204).end();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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
