import type { ServerResponse } from 'node:http';
import { CancelledError } from '../../errors/index.ts';
import { SourceFailure } from '../policy/failure.ts';
import { type ByteRange, contentRange, type RangeChoice, rangeLength } from '../range.ts';
import type { ByteStream } from '../reader/byte-stream.ts';
import type { Session } from '../session/session.ts';
import type { ProxyContext, StreamExchange } from '../stages.ts';
import { entityTag, judgePreconditions } from './preconditions.ts';

/** GET and HEAD /stream/<session>/<file name>. */
export async function serveStream(context: ProxyContext, exchange: StreamExchange): Promise<void> {
  const { request, response, session } = exchange;
  const { size } = session.record;
  const etag = entityTag(session.record.id);
  const condition = judgePreconditions(request.method, request.headers, etag);
  if (condition.kind === 'not-modified') {
    response.writeHead(304, { etag, 'cache-control': 'no-store' }).end();
    return;
  }
  if (condition.kind === 'failed') {
    response.writeHead(412, { etag, 'content-length': 0 }).end();
    return;
  }
  const choice = context.stages.parseRange(condition.range, size);
  if (choice.kind === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${size}`, 'content-length': 0 }).end();
    return;
  }
  const range = choice.kind === 'part' ? choice.range : { first: 0, last: size - 1 };
  const writeHead = () =>
    response.writeHead(choice.kind === 'part' ? 206 : 200, headOf(session, range, choice));
  if (request.method === 'HEAD') {
    writeHead().end();
    return;
  }
  await sendBody(context, exchange, range, writeHead);
}

function headOf({ record }: Session, range: ByteRange, choice: RangeChoice) {
  return {
    'content-type': record.mime,
    'content-length': rangeLength(range),
    'accept-ranges': 'bytes',
    etag: entityTag(record.id),
    'cache-control': 'no-store',
    ...(choice.kind === 'part' ? { 'content-range': contentRange(range, record.size) } : {}),
  };
}

async function sendBody(
  { stages, policies, log }: ProxyContext,
  { response, session }: StreamExchange,
  range: ByteRange,
  writeHead: () => void,
): Promise<void> {
  const gone = new AbortController();
  const ended = session.begin(gone);
  response.once('close', () => {
    gone.abort(new CancelledError('person'));
  });
  const bytes = stages.readRange({
    source: session.source,
    range,
    size: session.record.size,
    policy: policies.read,
    decide: stages.decide,
    journal: session,
    signal: gone.signal,
  });
  try {
    await pump(bytes, response, session, writeHead, gone.signal);
  } catch (error) {
    // A body that cannot be completed must not look complete: the connection ends hard, and the player asks anew.
    response.destroy();
    if (error instanceof SourceFailure)
      log.warning(`${session.record.name}: gave up on ${session.source.where}: ${error.message}`);
    else if (!gone.signal.aborted) throw error;
  } finally {
    bytes.close();
    ended();
  }
}

/**
 * The head waits for the first byte: Kodi gives an answer without head 20 s, but one without data only 10 s, and takes
 * an error for the film's end.
 */
async function pump(
  bytes: ByteStream,
  response: ServerResponse,
  session: Session,
  writeHead: () => void,
  signal: AbortSignal,
): Promise<void> {
  let chunk = await bytes.next();
  writeHead();
  while (chunk !== undefined) {
    session.sent(chunk.byteLength);
    if (!response.write(chunk)) await drained(response, signal);
    chunk = await bytes.next();
  }
  response.end();
}

/** Waits, however long the player pauses, until it takes more. Rejects when it leaves. */
async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onDrain = () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = () => {
      response.off('drain', onDrain);
      reject(signal.reason as Error);
    };
    response.once('drain', onDrain);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
