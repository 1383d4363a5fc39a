import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { createLogger } from '../../src/log/index.ts';
import { BUFFER_POLICY, type BufferPolicy } from '../../src/stream-proxy/policy/buffer.ts';
import {
  type PreparedStream,
  type ProxyOptions,
  type RunningProxy,
  startProxy,
} from '../../src/stream-proxy.ts';
import { VirtualFileCheck } from './virtual-file.ts';

/** Nothing is fetched before the player asks, so that a test can count requests. */
const NOTHING_UNASKED: BufferPolicy = { ...BUFFER_POLICY, prefetchBytes: 0, minIndexBytes: 0 };

/** Starts a proxy whose log is kept. */
export async function startTestProxy(
  options: Partial<ProxyOptions> = {},
): Promise<RunningProxy & { readonly lines: string[] }> {
  const lines: string[] = [];
  const log = createLogger((level, line) => lines.push(`${level}: ${line}`));
  const policies = { buffer: NOTHING_UNASKED, ...options.policies };
  const proxy = await startProxy({ listen: { port: 0 }, log, ...options, policies });
  return { ...proxy, lines };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  json(): unknown;
}

/** Sends one request on a connection of its own and reads all of the answer. Rejects when the body is cut off. */
export async function requestProxy(
  url: string,
  options: http.RequestOptions & { readonly body?: string } = {},
): Promise<Answer> {
  const request = http.request(url, { agent: false, ...options });
  request.end(options.body);
  const [message] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    body,
    json: () => JSON.parse(body.toString('utf8')) as unknown,
  };
}

/** Where a proxy is, and what it wants to be asked with. */
export type ProxyAddress = Pick<RunningProxy, 'port' | 'token'>;

/** POST /prepare with the token. */
export function askPrepare(
  proxy: ProxyAddress,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return requestProxy(`http://127.0.0.1:${proxy.port}/prepare`, {
    method: 'POST',
    headers: { authorization: `Bearer ${proxy.token}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Prepares a source that must be fine. */
export async function prepare(
  proxy: ProxyAddress,
  url: string,
  name = 'Sintel.2010.1080p.BluRay.x264-EXAMPLE.mkv',
  headers: Record<string, string> = {},
): Promise<PreparedStream> {
  const answer = await askPrepare(proxy, { url, headers, name });
  if (answer.status !== 200) throw new Error(`prepare: ${answer.status} ${answer.body.toString()}`);
  return answer.json() as PreparedStream;
}

export interface PlayResult {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Body bytes that arrived. */
  readonly count: number;
  /** Position of the first byte that is not the virtual file's. */
  readonly wrongAt: number | undefined;
  /** Whether the answer ended as it promised. */
  readonly complete: boolean;
}

/** Reads a range of a prepared virtual file and checks each byte. A broken answer is told, not thrown. */
export async function play(url: string, range?: string): Promise<PlayResult> {
  const request = http.request(url, { agent: false, headers: range === undefined ? {} : { range } });
  request.end();
  let message: IncomingMessage;
  try {
    [message] = (await once(request, 'response')) as [IncomingMessage];
  } catch {
    return { status: 0, headers: {}, count: 0, wrongAt: undefined, complete: false };
  }
  const first = Number(/^bytes (\d+)-/.exec(message.headers['content-range'] ?? '')?.[1] ?? 0);
  const check = new VirtualFileCheck(first);
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) check.take(chunk);
  } catch {
    // Told by `complete`.
  }
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    count: check.count,
    wrongAt: check.wrongAt,
    complete: message.complete,
  };
}
