import type { Socket } from 'node:net';
import { pause } from '../../../src/io/wait.ts';
import { sendBody } from './body.ts';
import { emptyHead, falsifyHead, type Head, headText, honestHead } from './head.ts';
import type { SeenRequest } from './log.ts';
import { type Request, RequestReader } from './request.ts';
import { ServerConnection } from './server-connection.ts';
import { factsOf, type ServedFile, type ServerState } from './server-state.ts';

export interface ConnectionJob {
  readonly world: ServerState;
  readonly socket: Socket;
  readonly number: number;
  readonly goAway: (milliseconds: number) => void;
  /** Where requests are sent on to with 302; absent: they are answered here. */
  readonly redirectTo: (() => string) | undefined;
}

/** Answers the requests of one connection, one after the other, until it ends. */
export function serveConnection(job: ConnectionJob): void {
  const { world, socket } = job;
  const wire = new ServerConnection(socket);
  if (world.strike('refuse') !== undefined) {
    wire.reset('refused');
    return;
  }
  const reader = new RequestReader();
  let turn = Promise.resolve();
  const fail = () => {
    wire.reset('failed');
  };
  socket.on('data', (chunk: Buffer) => {
    const requests = reader.take(chunk);
    if (requests === undefined) fail();
    // What fails here is nearly always the connection; then there is nothing left to do.
    else for (const request of requests) turn = turn.then(() => serve(job, wire, request)).catch(fail);
  });
}

async function serve(job: ConnectionJob, wire: ServerConnection, request: Request): Promise<void> {
  const { world } = job;
  const seen = see(job, request);
  try {
    if (await answer(job, wire, request, seen)) seen.ending = 'complete';
  } finally {
    seen.endedAt = world.now();
    seen.ending ??= wire.reason ?? 'left by the client';
  }
}

function see({ world, number }: ConnectionJob, request: Request): SeenRequest {
  const { method, path, headers } = request;
  const seen: SeenRequest = {
    method,
    path,
    headers,
    range: headers.get('range'),
    connection: number,
    at: world.now(),
    status: 0,
    first: 0,
    sent: 0,
    endedAt: undefined,
    ending: undefined,
  };
  world.log.requests.push(seen);
  return seen;
}

/** Whether the answer is complete and the connection may be used again. */
async function answer(
  job: ConnectionJob,
  wire: ServerConnection,
  request: Request,
  seen: SeenRequest,
): Promise<boolean> {
  const { world } = job;
  const silent = world.strike('no-answer');
  if (silent !== undefined) {
    if (silent.how === 'fin') wire.finish('no answer');
    else wire.reset('no answer');
    return false;
  }
  await pause(world.script.latency + (world.strike('late-head')?.milliseconds ?? 0), wire.gone);
  const file = world.file(request.path);
  const head = headFor(job, request, file);
  seen.status = head.status;
  seen.first = head.body?.first ?? 0;
  await wire.send(headText(head));
  if (request.method === 'HEAD' || head.body === undefined || file === undefined) return true;
  return send(job, wire, seen, file, { ...head, body: head.body });
}

async function send(
  job: ConnectionJob,
  wire: ServerConnection,
  seen: SeenRequest,
  { content }: ServedFile,
  head: Head & { readonly body: NonNullable<Head['body']> },
): Promise<boolean> {
  const { world, goAway } = job;
  const chunked = head.headers['transfer-encoding'] === 'chunked';
  if (!(await sendBody({ world, wire, seen, content, range: head.body, chunked, goAway }))) return false;
  const surplus = world.strike('surplus');
  if (surplus !== undefined) await wire.send(Buffer.alloc(surplus.bytes, 'surplus '));
  if (head.headers['connection'] === 'close') wire.finish('complete');
  return true;
}

function headFor({ world, redirectTo }: ConnectionJob, request: Request, file: ServedFile | undefined): Head {
  if (redirectTo !== undefined) return emptyHead(302, { location: redirectTo() + request.path });
  if (file === undefined) return emptyHead(404);
  const status = world.strike('status');
  if (status !== undefined) {
    const wait = status.retryAfter;
    return emptyHead(status.status, wait === undefined ? {} : { 'retry-after': String(wait) });
  }
  const facts = factsOf(file);
  const honest = honestHead(request, facts, world.script.dialect);
  if (honest.body === undefined || request.method === 'HEAD') return honest;
  const absent = absentStatus(world, honest.body.first);
  if (absent !== undefined) return emptyHead(absent);
  const lie = world.strike('lie');
  return lie === undefined ? honest : falsifyHead(honest, lie.lie, facts, world.nonce());
}

/** What is not there is known before the head when the body would start in it (protocols.md §2.5). */
function absentStatus(world: ServerState, position: number): 404 | 503 | undefined {
  return world.missingAt(position) === undefined ? world.lateAt(position)?.status : 404;
}
