import type { IncomingMessage } from 'node:http';
import { SlipstreamError } from '../../errors/index.ts';
import { parseHttpUrl, USER_AGENT } from '../../io/http.ts';
import { asHttpError } from '../../io/http-error.ts';
import { sendOverHttp } from '../../io/http-transport.ts';
import { takeLogin } from '../../io/login.ts';
import { type Watchdog, watchdog } from '../../io/wait.ts';
import type { OriginOverride } from '../../play-address/open-listed.ts';
import {
  classifyContent,
  HEAD_BYTES,
  type NonVideo,
  nonVideoInHead,
  type ResponseHead,
} from '../../play-address/probe-result.ts';
import { resolveRedirect } from '../../play-address/redirect.ts';
import { type OpenedStream, playerUrl } from './streams.ts';

/** What opening a stream shows. */
export type ProbeResult = VideoStream | NonVideo;

export interface VideoStream extends OpenedStream {
  readonly kind: 'video';
}

export interface StreamRequest {
  readonly url: string;
  /** Not sent on to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** As HttpRequest.who. */
  readonly who: string;
  /** Milliseconds. */
  readonly timeout: number;
  /**
   * It may block until the stream is ready: once a request has left us whole, only the signal ends the wait for the head
   * of its answer. `timeout` is then that of the way there, and of the bytes behind the head.
   */
  readonly blocks?: boolean;
  readonly signal: AbortSignal;
  /** As Way.elsewhere. */
  readonly elsewhere?: OriginOverride | undefined;
  /** A redirect is followed. */
  readonly onRedirect?: (to: URL) => void;
}

/** Kodi follows as many (protocols.md §10.3). */
const MAX_REDIRECTS = 5;
/**
 * Opens a stream as the player will: with a ranged GET, for several services answer HEAD with an error or not at all
 * (protocols.md §8.1). Nothing beyond the first bytes is read.
 * @throws UNREACHABLE, TIMEOUT, BAD_ANSWER; INVALID_REQUEST; no address is in their text
 */
export async function probeStream(request: StreamRequest): Promise<ProbeResult> {
  const { who, timeout } = request;
  const tooSlow = () =>
    new SlipstreamError(
      'TIMEOUT',
      {
        what: `${who} did not open the stream within ${Math.ceil(timeout / 1000)} s.`,
        next: 'Try again, or another release.',
      },
      { transient: true },
    );
  const late = new AbortController();
  const clock = watchdog(timeout, () => {
    late.abort(tooSlow());
  });
  const signal = AbortSignal.any([request.signal, late.signal]);
  try {
    clock.start();
    return await followRedirects(request, clock, signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clock.end();
  }
}

async function followRedirects(
  request: StreamRequest,
  clock: Watchdog,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const { who, blocks = false } = request;
  const onSent = () => {
    if (blocks) clock.stop();
  };
  let url = parseHttpUrl(request.url, who);
  let headers = request.headers ?? {};
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    // In the address it stays for the player; requests of ours carry it as a header.
    const bare = new URL(url);
    const login = takeLogin(bare);
    const own = {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': USER_AGENT,
      range: `bytes=0-${HEAD_BYTES - 1}`,
      ...(login !== undefined && { authorization: login }),
      ...headers,
    };
    const outcome = await sendOverHttp<ProbeResult | { readonly to: string }>(
      bare,
      { method: 'GET', headers: own, body: undefined, signal, onSent },
      (answer) => {
        if (blocks) clock.start();
        const to = redirectTarget(answer);
        return to === undefined ? probeResultOf(url, answer) : { to };
      },
    ).catch((error: unknown) => {
      throw asHttpError(error, who, bare);
    });
    if (!('to' in outcome)) return outcome;
    const next = nextUrl(outcome.to, url);
    if (next === undefined) return { kind: 'astray', detail: 'redirected to what is no web address' };
    const led = resolveRedirect(next, request.elsewhere);
    if (!(led instanceof URL)) return led;
    if (led.origin !== url.origin) headers = {};
    request.onRedirect?.(led);
    url = led;
  }
  return { kind: 'astray', detail: `more than ${MAX_REDIRECTS} redirects` };
}

function redirectTarget({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined;
}

function nextUrl(location: string, base: URL): URL | undefined {
  const next = URL.canParse(location, base.href) ? new URL(location, base) : undefined;
  return next?.protocol === 'http:' || next?.protocol === 'https:' ? next : undefined;
}

async function probeResultOf(url: URL, answer: IncomingMessage): Promise<ProbeResult> {
  const { statusCode: status = 0, headers } = answer;
  const head: ResponseHead = { url, status, header: (name) => headers[name]?.toString() };
  const start = await firstBytes(answer);
  const sight = nonVideoInHead(head, Buffer.from(start).toString('utf8')) ?? classifyContent(head, start);
  return sight.kind === 'video' ? { ...sight, url: playerUrl(url) } : sight;
}

async function firstBytes(answer: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer) {
    const bytes = chunk as Uint8Array;
    chunks.push(bytes);
    size += bytes.byteLength;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
}
