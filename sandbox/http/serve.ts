import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicTime } from './clock.ts';
import { faultPicker, type TransportFault } from './faults.ts';
import { clientGoneSignal, send } from './send.ts';
import type { Answer, Handler, Incoming, RecordedRequest, ServiceName } from './types.ts';
import { wrongAnswer } from './wrong-answers.ts';

const MAX_BODY = 100 * 1024 * 1024;

/** A record while its answer is still being written. */
type OpenRecord = { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };

export interface Service {
  /** Which service a path belongs to. */
  readonly classify: (path: string, method: string) => ServiceName;
  readonly handle: Handler;
  /** What the service answers to a wrong key. */
  readonly refuseKey: (service: ServiceName) => Answer;
  readonly faults: (service: ServiceName) => readonly TransportFault[];
  readonly record: (request: RecordedRequest) => void;
}

/** The listener of an HTTP server: records each request, applies the faults, and otherwise lets the handler answer. */
export function listener(service: Service): (req: IncomingMessage, res: ServerResponse) => void {
  const pick = faultPicker();
  return (req, res) => {
    const record = recordOf(req, service);
    service.record(record);
    const fault = pick(service.faults(record.service), record);
    res.once('close', () => {
      record.done = true;
    });
    respond(req, res, { service, record, fault }).catch((error: unknown) => {
      // A client that goes away in the middle is everyday business here; anything else is a mistake of ours.
      if (!res.destroyed && !req.destroyed) console.error('sandbox:', error);
      res.destroy();
    });
  };
}

interface Exchange {
  readonly service: Service;
  readonly record: OpenRecord;
  readonly fault: TransportFault | undefined;
}

async function respond(
  req: IncomingMessage,
  res: ServerResponse,
  { service, record, fault }: Exchange,
): Promise<void> {
  const body = await readBody(req);
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'reset') {
    res.destroy();
    return;
  }
  // Not the record's query: nzbdav takes a parameter several times.
  const { searchParams } = requestUrl(req);
  const answer = await answerTo({ ...record, query: searchParams, body }, { service, record, fault });
  if (fault?.kind === 'answer-lost') {
    if (fault.how === 'reset') res.destroy();
    return;
  }
  const wait = fault?.kind === 'slow' ? fault.milliseconds : (answer.after ?? 0);
  if (wait > 0) await sleep(wait, undefined, { signal: clientGoneSignal(res) }).catch(() => undefined);
  if (answer.hang === true) return;
  if (answer.reset === true) {
    res.destroy();
    return;
  }
  record.status = answer.status;
  const head = record.method === 'HEAD';
  await send(res, answer, { head, fault, onSent: (bytes) => (record.sent += bytes) });
}

async function answerTo(request: Incoming, { service, record, fault }: Exchange): Promise<Answer> {
  if (fault?.kind === 'wrong-key') return service.refuseKey(record.service);
  const wrong = fault === undefined ? undefined : wrongAnswer(fault, record.service);
  if (wrong !== undefined) return wrong;
  const right = await service.handle(request);
  if (fault?.kind !== 'truncated' || typeof right.body !== 'string') return right;
  return { ...right, body: right.body.slice(0, Math.floor(right.body.length / 2)) };
}

function recordOf(req: IncomingMessage, service: Service): OpenRecord {
  const url = requestUrl(req);
  const method = req.method ?? 'GET';
  const headers = Object.entries(req.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    service: service.classify(url.pathname, method),
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(headers),
    at: monotonicTime(),
    status: 0,
    sent: 0,
    done: false,
  };
}

function requestUrl(req: IncomingMessage): URL {
  return new URL(`http://sandbox${req.url ?? '/'}`);
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error('The body is larger than nzbdav takes.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
