import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransportFault } from './faults.ts';
import type { Answer, ClipRange } from './types.ts';

const CHUNK = 256 * 1024;
/** How long upstream nzbdav was seen to keep a connection after a body that ends short (its Node front end). */
const FIN_DELAY = 6000;

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
  res.writeHead(answer.status, { 'content-length': range.end - range.start, ...answer.headers });
  if (options.head || answer.status === 204 || answer.status === 304) {
    res.end();
    return;
  }
  const { fault } = options;
  const cut = fault?.kind === 'cut' ? range.start + fault.after : Infinity;
  const end = Math.min(range.end, range.cut?.at ?? Infinity, cut);
  const gone = clientGone(res);
  if (!(await stream(res, range, end, options, gone))) return;
  if (end === range.end) res.end();
  else await breakOff(res, fault, range.cut?.how, gone);
}

/** True once everything up to `end` is written, false when the client went away before. */
async function stream(
  res: ServerResponse,
  { clip, start }: ClipRange,
  end: number,
  { fault, onSent }: SendOptions,
  gone: AbortSignal,
): Promise<boolean> {
  const speed = fault?.kind === 'throttle' ? fault.bytesPerSecond : Infinity;
  const chunk = Math.max(1, Math.min(CHUNK, Math.floor(speed / 10)));
  // Headers leave with the first bytes, or alone when there are none.
  if (start >= end) res.flushHeaders();
  for (let at = start; at < end; at += chunk) {
    const bytes = clip.read(at, Math.min(at + chunk, end));
    if (gone.aborted) return false;
    onSent(bytes.length);
    if (!res.write(bytes)) await drained(res, gone);
    if (speed !== Infinity) await sleep(100, undefined, { signal: gone }).catch(() => undefined);
  }
  return !gone.aborted;
}

async function breakOff(
  res: ServerResponse,
  fault: TransportFault | undefined,
  clipsWay: 'fin' | 'reset' = 'fin',
  gone: AbortSignal,
): Promise<void> {
  const how = fault?.kind === 'cut' ? fault.how : clipsWay;
  if (how === 'hang') return;
  const delay = fault?.kind === 'cut' ? (fault.delay ?? FIN_DELAY) : FIN_DELAY;
  if (how === 'fin') await sleep(delay, undefined, { signal: gone }).catch(() => undefined);
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
export function clientGone(res: ServerResponse): AbortSignal {
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
