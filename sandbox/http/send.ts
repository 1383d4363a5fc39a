import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Supply } from '../provider/index.ts';
import type { TransportFault } from './faults.ts';
import type { Answer, ClipRange } from './types.ts';

const CHUNK = 256 * 1024;

export interface SendOptions {
  readonly head: boolean;
  readonly fault?: TransportFault | undefined;
  /** Called with each stretch of body that goes to the socket. */
  readonly onSent: (bytes: number) => void;
}

/** Writes an answer; ends early and quietly when the client goes away. */
export async function send(res: ServerResponse, answer: Answer, options: SendOptions): Promise<void> {
  const { body = '' } = answer;
  const range = isRange(body) ? body : inMemory(body);
  if (options.head || range.fetch === undefined) {
    await sendRange(res, answer, range, options);
    return;
  }
  const supply = range.fetch();
  try {
    const first = await supply.beyond(range.start, clientGoneSignal(res));
    if (first === undefined) res.destroy();
    else await sendRange(res, answer, range, options, supply);
  } finally {
    supply.close();
  }
}

async function sendRange(
  res: ServerResponse,
  answer: Answer,
  range: ClipRange,
  options: SendOptions,
  supply?: Supply,
): Promise<void> {
  const length =
    answer.chunked === true || answer.status === 204 ? {} : { 'content-length': range.end - range.start };
  // Node would recode a Content-Disposition that stands behind the length: bytes above 0x7f are sent as they are.
  res.writeHead(answer.status, { ...answer.headers, ...length });
  if (options.head || answer.status === 204 || answer.status === 304) {
    res.end();
    return;
  }
  const { fault } = options;
  const cut = fault?.kind === 'cut' ? range.start + fault.after : Infinity;
  const end = Math.min(range.end, range.cut?.at ?? Infinity, cut);
  const gone = clientGoneSignal(res);
  const reached = await stream(res, { range, end, supply }, options, gone);
  if (reached === undefined) return;
  if (reached === range.end) res.end();
  else await breakOff(res, fault, reached < end ? 'reset' : range.cut?.how, gone);
}

interface Stretch {
  readonly range: ClipRange;
  readonly end: number;
  readonly supply: Supply | undefined;
}

/** Gives up to where everything is written: `end`, or where the supply has; undefined when the client went away before. */
async function stream(
  res: ServerResponse,
  { range: { clip, start }, end, supply }: Stretch,
  { fault, onSent }: SendOptions,
  gone: AbortSignal,
): Promise<number | undefined> {
  const speed = fault?.kind === 'throttle' ? fault.bytesPerSecond : Infinity;
  const chunk = Math.max(1, Math.min(CHUNK, Math.floor(speed / 10)));
  // Headers leave with the first bytes, or alone when there are none.
  if (start >= end) res.flushHeaders();
  let at = start;
  while (at < end) {
    const there = supply === undefined ? end : await supply.beyond(at, gone);
    if (gone.aborted) return undefined;
    if (there === undefined) return at;
    const bytes = clip.read(at, Math.min(at + chunk, end, there));
    at += bytes.length;
    onSent(bytes.length);
    if (!res.write(bytes)) await drained(res, gone);
    supply?.took(at);
    if (speed !== Infinity) await sleep(100, undefined, { signal: gone }).catch(() => undefined);
  }
  return gone.aborted ? undefined : at;
}

async function breakOff(
  res: ServerResponse,
  fault: TransportFault | undefined,
  clipsWay: 'fin' | 'reset' = 'fin',
  gone: AbortSignal,
): Promise<void> {
  const how = fault?.kind === 'cut' ? fault.how : clipsWay;
  if (how === 'hang') return;
  const delay = fault?.kind === 'cut' && how === 'fin' ? (fault.delay ?? 0) : 0;
  if (delay > 0) await sleep(delay, undefined, { signal: gone }).catch(() => undefined);
  if (how === 'fin') res.socket?.end();
  else if (res.writableNeedDrain) res.once('drain', () => res.destroy());
  else res.write('', () => res.destroy());
}

function drained(res: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) {
      resolve();
      return;
    }
    const done = () => {
      res.off('drain', done);
      gone.removeEventListener('abort', done);
      resolve();
    };
    res.once('drain', done);
    gone.addEventListener('abort', done, { once: true });
  });
}

/** Aborts when the connection of an answer is gone. */
export function clientGoneSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (res.destroyed) controller.abort();
  res.once('close', () => {
    controller.abort();
  });
  return controller.signal;
}

function isRange(body: NonNullable<Answer['body']>): body is ClipRange {
  return typeof body === 'object' && 'clip' in body;
}

function inMemory(body: string | Uint8Array): ClipRange {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const clip = {
    name: '',
    size: bytes.length,
    read: (start: number, end: number) => Uint8Array.from(bytes.subarray(start, end)),
  };
  return { clip, start: 0, end: bytes.length };
}
