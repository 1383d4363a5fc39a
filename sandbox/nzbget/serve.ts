import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicTime } from '../http/clock.ts';
import { faultPicker, type TransportFault } from '../http/faults.ts';
import { clientGoneSignal, send } from '../http/send.ts';
import { type Answer, json, type RecordedRequest } from '../http/types.ts';
import { wrongAnswer } from '../http/wrong-answers.ts';
import { RpcError } from './rpc.ts';

/** One call as it came in; `query.rpc` is the method. */
export interface RecordedCall extends RecordedRequest {
  readonly params: readonly unknown[];
}

export interface RpcService {
  /** What opens it, and how far: undefined for a stranger. */
  readonly access: (authorization: string | undefined) => 'all' | 'add-only' | undefined;
  /** @throws RpcError */
  readonly call: (method: string, params: readonly unknown[], access: 'all' | 'add-only') => unknown;
  readonly faults: () => readonly TransportFault[];
  readonly record: (call: RecordedCall) => void;
}

type OpenCall = { -readonly [K in keyof RecordedCall]: RecordedCall[K] };

/** The listener of the JSON-RPC: it knows only after the body what it is asked, and applies the faults then. */
export function rpcListener(service: RpcService): (req: IncomingMessage, res: ServerResponse) => void {
  const pick = faultPicker();
  return (req, res) => {
    respond(req, res, service, pick).catch((error: unknown) => {
      if (!res.destroyed && !req.destroyed) console.error('sandbox:', error);
      res.destroy();
    });
  };
}

async function respond(
  req: IncomingMessage,
  res: ServerResponse,
  service: RpcService,
  pick: ReturnType<typeof faultPicker>,
): Promise<void> {
  const record = recordOf(req, await textOf(req));
  service.record(record);
  res.once('close', () => {
    record.done = true;
  });
  const fault = pick(service.faults(), record);
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'reset') {
    res.destroy();
    return;
  }
  const answer = answerTo(record, service, fault);
  if (fault?.kind === 'answer-lost') {
    if (fault.how === 'reset') res.destroy();
    return;
  }
  if (fault?.kind === 'slow')
    await sleep(fault.milliseconds, undefined, { signal: clientGoneSignal(res) }).catch(() => undefined);
  record.status = answer.status;
  await send(res, answer, { head: false, fault, onSent: (bytes) => (record.sent += bytes) });
}

/** With an empty body and without asking for credentials, as behind NZBGet's login form. */
const STRANGER: Answer = { status: 401 };

function answerTo(record: RecordedCall, service: RpcService, fault: TransportFault | undefined): Answer {
  if (fault?.kind === 'wrong-key') return STRANGER;
  const wrong = fault === undefined ? undefined : wrongAnswer(fault, 'api');
  if (wrong !== undefined) return wrong;
  const access = service.access(record.headers['authorization']);
  if (access === undefined) return STRANGER;
  if (record.path !== '/jsonrpc') return { status: 404 };
  const right = rpcAnswer(() => service.call(record.query['rpc'] ?? '', record.params, access));
  if (fault?.kind !== 'truncated' || typeof right.body !== 'string') return right;
  return { ...right, body: right.body.slice(0, Math.floor(right.body.length / 2)) };
}

function rpcAnswer(run: () => unknown): Answer {
  try {
    return json(200, { version: '1.1', id: 1, result: run() });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { code, message } = error;
    return json(200, { version: '1.1', id: 1, error: { name: 'JSONRPCError', code, message } });
  }
}

function recordOf(req: IncomingMessage, body: string): OpenCall {
  const headers = Object.entries(req.headers).map(([name, value]) => [name, String(value)] as const);
  const { method, params } = asked(body);
  return {
    service: 'api',
    method: req.method ?? 'GET',
    path: new URL(`http://sandbox${req.url ?? '/'}`).pathname,
    query: { rpc: method },
    params,
    headers: Object.fromEntries(headers),
    at: monotonicTime(),
    status: 0,
    sent: 0,
    done: false,
  };
}

/** NZBGet looks for the names in the text, from the front: a method that does not come first is not found. */
function asked(body: string): { method: string; params: readonly unknown[] } {
  if (!body.startsWith('{"method":')) return { method: '', params: [] };
  const { method, params } = JSON.parse(body) as { method: string; params: readonly unknown[] };
  return { method, params };
}

async function textOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
