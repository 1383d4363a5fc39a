import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from '../../src/io/wait.ts';
import { virtualBytes } from './virtual-file.ts';

// A real HTTP server that serves a virtual file, honestly or not.

/** How one request is answered; what is absent is done honestly. */
export interface AnswerPlan {
  readonly status?: number;
  /** Replaces headers of the honest answer; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Serves these bytes, whatever the range says. */
  readonly bytes?: { readonly first: number; readonly last: number };
  /** Body bytes after which the socket is destroyed. */
  readonly dropAfter?: number;
  /** Body bytes after which nothing comes any more, or the head when it is -1. */
  readonly stallAfter?: number;
  /** Milliseconds after which what was held back comes all the same. */
  readonly stallFor?: number;
  /** Body bytes after which the answer simply ends, as nzbdav's does on a missing article. */
  readonly endAfter?: number;
  /** The range that is answered, instead of the one that was asked for. */
  readonly answer?: { readonly first: number; readonly last: number };
  /** The body of a refusal. */
  readonly words?: string;
}

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Position that was asked for; 0 without a range. */
  readonly first: number;
  /** Resolves when the connection or the answer has ended. */
  readonly over: Promise<void>;
  /** Body bytes written so far. */
  sent: number;
  isOver: boolean;
}

export interface FileServer {
  readonly url: string;
  readonly port: number;
  readonly requests: SeenRequest[];
  /** Connections open now. */
  connections(): Promise<number>;
  /** Replaces how later requests are answered. */
  plan(next: (request: SeenRequest, index: number) => AnswerPlan): void;
  close(): Promise<void>;
}

interface ServerOptions {
  /** Its port; 0: any. */
  readonly at?: number;
  /** The file's first bytes, in place of the virtual ones. */
  readonly head?: Uint8Array;
}

const NOTHING = new Uint8Array();
const CHUNK = 64 * 1024;

export async function startFileServer(
  size: number,
  first: (request: SeenRequest, index: number) => AnswerPlan = () => ({}),
  { at = 0, head = NOTHING }: ServerOptions = {},
): Promise<FileServer> {
  let planFor = first;
  const requests: SeenRequest[] = [];
  const server = http.createServer((request, response) => {
    const seen = see(request, response);
    const index = requests.push(seen) - 1;
    response.on('error', () => undefined);
    answer({ size, head }, request, response, seen, planFor(seen, index)).catch(() => response.destroy());
  });
  server.listen(at, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/content/movies/job/file.mkv`,
    port,
    requests,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => {
          if (error === null) resolve(count);
          else reject(error);
        });
      }),
    plan: (next) => {
      planFor = next;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** How nzbdav answers (protocols.md §2.4): 200 with Content-Range for everything, wrong suffixes, 500 on nonsense. */
export function nzbdavPlan(size: number): (request: SeenRequest) => AnswerPlan {
  return ({ headers }) => {
    const range = headers.range;
    if (range === undefined) return {};
    const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
    if (from === '' && to !== '') return { answer: { first: 0, last: Number(to) } };
    if (from === '') return { status: 500 };
    const all = from === '0' && (to === '' || Number(to) >= size - 1);
    return all ? { status: 200, headers: { 'content-range': `bytes 0-${size - 1}/${size}` } } : {};
  };
}

function see(request: IncomingMessage, response: ServerResponse): SeenRequest {
  const first = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const seen: SeenRequest = {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    first,
    sent: 0,
    isOver: false,
    over: new Promise((resolve) => {
      response.once('close', () => {
        seen.isOver = true;
        resolve();
      });
    }),
  };
  return seen;
}

interface File {
  readonly size: number;
  readonly head: Uint8Array;
}

async function answer(
  { size, head }: File,
  request: IncomingMessage,
  response: ServerResponse,
  seen: SeenRequest,
  plan: AnswerPlan,
): Promise<void> {
  if (plan.stallAfter === -1) return;
  if (plan.dropAfter === -1) {
    response.destroy();
    return;
  }
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const asked = {
    first: Number(from ?? 0),
    last: to === undefined || to === '' ? size - 1 : Math.min(Number(to), size - 1),
  };
  const range = plan.answer ?? asked;
  const status = plan.status ?? (from === undefined ? 200 : range.first >= size ? 416 : 206);
  const ok = status === 200 || status === 206;
  const honest: Record<string, string | undefined> = {
    'accept-ranges': 'bytes',
    'content-length': ok ? String(range.last - range.first + 1) : String((plan.words ?? '').length),
    'content-range': status === 206 ? `bytes ${range.first}-${range.last}/${size}` : undefined,
    ...plan.headers,
  };
  for (const [name, value] of Object.entries(honest))
    if (value !== undefined) response.setHeader(name, value);
  response.writeHead(status);
  if (!ok || request.method === 'HEAD') response.end(plan.words);
  else await sendBody(head, response, seen, plan, plan.bytes ?? range);
}

/** Waits for so many milliseconds, or until the connection is over. */
async function atMost(ms: number, over: Promise<void>): Promise<void> {
  const ending = new AbortController();
  const waiting = pause(ms, ending.signal).catch(() => undefined);
  await Promise.race([waiting, over]);
  ending.abort();
}

/** The file's bytes, both ends included. */
function bytesOf(head: Uint8Array, first: number, last: number): Uint8Array {
  const bytes = virtualBytes(first, last);
  bytes.set(head.subarray(first, last + 1));
  return bytes;
}

async function sendBody(
  head: Uint8Array,
  response: ServerResponse,
  seen: SeenRequest,
  plan: AnswerPlan,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<void> {
  const stop = plan.stallFor === undefined ? plan.stallAfter : undefined;
  const limit = plan.dropAfter ?? stop ?? plan.endAfter ?? Infinity;
  response.flushHeaders();
  while (seen.sent < Math.min(limit, last - first + 1) && !response.destroyed) {
    const from = first + seen.sent;
    if (plan.stallFor !== undefined && seen.sent === plan.stallAfter) await atMost(plan.stallFor, seen.over);
    const until = seen.sent < (plan.stallAfter ?? 0) ? (plan.stallAfter ?? limit) : limit;
    const chunk = bytesOf(head, from, Math.min(last, from + Math.min(CHUNK, until - seen.sent) - 1));
    seen.sent += chunk.length;
    if (!response.write(chunk))
      await Promise.race([once(response, 'drain').catch(() => undefined), seen.over]);
  }
  if (stop !== undefined) return;
  if (plan.dropAfter !== undefined) {
    // What was written must leave before the connection breaks.
    await new Promise((resolve) => response.write('', resolve));
    response.destroy();
  } else response.end();
}
