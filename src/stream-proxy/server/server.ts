import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { asSlipstreamError } from '../../errors/index.ts';
import { ConnectionLimit, type ConnectionLimits } from '../../io/connection-limit.ts';
import type { HttpExchange, ProxyContext } from '../stages.ts';
import { isOwnHost, requestPathOf } from './authorise.ts';
import {
  FOREIGN_HOST,
  NO_HLS,
  NO_SUCH_PATH,
  NO_SUCH_STREAM,
  NO_TOKEN,
  PATH_NOT_ENCODED,
  SEVERAL_HOSTS,
  TOO_MANY_CONNECTIONS,
  WRONG_METHOD,
} from './error-bodies.ts';
import { waitForReopened } from './reopen.ts';
import { replacePlan } from './replace-plan.ts';
import { sendError } from './responses.ts';

/** All in milliseconds unless said otherwise. */
export interface ServerLimits extends ConnectionLimits {
  /** For the head of a request, and for all of it. A player sends both at once; a slow sender is no player. */
  readonly headTimeout: number;
  readonly requestTimeout: number;
  /** How long a connection may stay unused. */
  readonly idleTimeout: number;
  /** How often the limits above are looked after. */
  readonly checkInterval: number;
  /** Bytes of a request's head. */
  readonly headBytes: number;
  /** Bytes that may wait for the player per connection; small, because more would only hide that it is slow. */
  readonly writeAhead: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headTimeout: 10_000,
  requestTimeout: 15_000,
  idleTimeout: 60_000,
  checkInterval: 2_000,
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
    headersTimeout: limits.headTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.idleTimeout,
    connectionsCheckingInterval: limits.checkInterval,
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
      whenFirstInPipeline(response, () => {
        handle(context, { request, response });
      });
    } else rejectOverload(context, { request, response });
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
function whenFirstInPipeline(response: ServerResponse, begin: () => void): void {
  if (response.socket === null) response.once('socket', begin);
  else begin();
}

/** Of a request for which there is no room, whatever it is for. */
function rejectOverload(context: ProxyContext, exchange: HttpExchange): void {
  const target = requestPathOf(exchange.request);
  if (isOwnHost(target, context.port)) reportRefusedStream(context, exchange, target.path);
  sendError(exchange.response, 503, TOO_MANY_CONNECTIONS, { 'retry-after': '1' });
}

function handle(context: ProxyContext, exchange: HttpExchange): void {
  route(context, exchange).catch((error: unknown) => {
    context.log.error('a request to the proxy failed', asSlipstreamError(error));
    exchange.response.destroy();
  });
}

const STREAMS = '/stream/';
const STREAM = /^\/stream\/([0-9a-f]{32})\/[^/]+$/;
const PLAN = /^\/stream\/([0-9a-f]{32})\/plan$/;
const SUBTITLE = /^\/stream\/([0-9a-f]{32})\/sub\/(\d{1,3})\/([^/]+)$/;

async function route(context: ProxyContext, exchange: HttpExchange): Promise<void> {
  const { request, response } = exchange;
  const target = requestPathOf(request);
  if (target.hosts.length > 1) {
    sendError(response, 400, SEVERAL_HOSTS);
    return;
  }
  if (!isOwnHost(target, context.port)) {
    sendError(response, 403, FOREIGN_HOST);
    return;
  }
  // Node.js 20.19 lets a path through that is not percent-encoded; later versions refuse it (RFC 9112 §3.2).
  if (!/^[!-~]*$/.test(target.path)) {
    sendError(response, 400, PATH_NOT_ENCODED);
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
    reportRefusedStream(context, exchange, target.path);
    await routeStream(context, exchange, target.path);
  } else if (target.path.startsWith('/hls/')) sendError(response, 404, NO_HLS);
  else sendError(response, 404, NO_SUCH_PATH);
}

async function routePrepare(context: ProxyContext, exchange: HttpExchange): Promise<void> {
  if (!checkMethod(exchange, ['POST']) || !checkToken(context, exchange)) return;
  if (exchange.request.headers.expect !== undefined) exchange.response.writeContinue();
  await context.stages.handlePrepare(context, exchange);
}

async function routePlan(context: ProxyContext, exchange: HttpExchange, path: string): Promise<void> {
  if (!checkToken(context, exchange)) return;
  const session = context.sessions.use(PLAN.exec(path)?.[1] ?? '');
  if (session === undefined) sendError(exchange.response, 404, NO_SUCH_STREAM);
  else await replacePlan({ ...exchange, session });
}

function routeStatus(context: ProxyContext, exchange: HttpExchange): void {
  if (!checkMethod(exchange, ['GET', 'HEAD']) || !checkToken(context, exchange)) return;
  context.stages.serveStatus(context, exchange);
}

async function routeStream(context: ProxyContext, exchange: HttpExchange, path: string): Promise<void> {
  if (exchange.request.method === 'DELETE') {
    endStream(context, exchange, path);
    return;
  }
  if (!checkMethod(exchange, ['GET', 'HEAD'])) return;
  const [, of = '', group = '', name = ''] = SUBTITLE.exec(path) ?? [];
  const id = of === '' ? (STREAM.exec(path)?.[1] ?? '') : of;
  const known = context.sessions.use(id);
  if (of === '') {
    const session = known ?? (await waitForReopened(context, exchange, id));
    if (session !== undefined) await context.stages.serveStream(context, { ...exchange, session });
  } else if (known === undefined) sendError(exchange.response, 404, NO_SUCH_STREAM);
  else {
    const wanted = { group: Number(group), name: decodePath(name) };
    await context.stages.serveSubtitle(context, { ...exchange, session: known }, wanted);
  }
}

/** A player gives up upon that of a stream; not without a subtitle, nor when a range is outside the file. */
function reportRefusedStream(context: ProxyContext, { request, response }: HttpExchange, path: string): void {
  if (!path.startsWith(STREAMS) || request.method === 'DELETE' || SUBTITLE.test(path)) return;
  response.once('finish', () => {
    if (response.statusCode >= 400 && response.statusCode !== 416) context.onStreamRefused();
  });
}

/** Whoever has prepared a stream does not want it after all. One that is not there has ended. */
function endStream(context: ProxyContext, exchange: HttpExchange, path: string): void {
  if (!checkToken(context, exchange)) return;
  context.sessions.drop(STREAM.exec(path)?.[1] ?? '');
  exchange.response.writeHead(204).end();
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function checkMethod({ request, response }: HttpExchange, methods: readonly string[]): boolean {
  if (methods.includes(request.method ?? '')) return true;
  sendError(response, 405, WRONG_METHOD, { allow: methods.join(', ') });
  return false;
}

function checkToken({ stages, token }: ProxyContext, { request, response }: HttpExchange): boolean {
  if (stages.authorise(request, token)) return true;
  sendError(response, 401, NO_TOKEN, { 'www-authenticate': 'Bearer' });
  return false;
}
