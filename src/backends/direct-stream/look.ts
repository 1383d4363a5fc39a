import type { IncomingMessage } from 'node:http';
import { SlipstreamError } from '../../errors/index.ts';
import { parseHttpUrl, USER_AGENT } from '../../io/http.ts';
import { asHttpError } from '../../io/http-error.ts';
import { exchange } from '../../io/http-transport.ts';
import { takeLogin } from '../../io/login.ts';
import { retryAfterOf } from '../../io/retry-after.ts';
import { type Watchdog, watchdog } from '../../io/wait.ts';
import { certainlyNoVideo, mimeByContent, mimeByName } from '../../media/mime.ts';
import { isNotice, isNoticeName } from '../../media/notice.ts';
import { wordsOf } from './replies.ts';
import { decoded, type Opened, playerUrl } from './streams.ts';

/** What opening a stream shows. */
export type Sight =
  | OpenStream
  /** It is not ready; in so many milliseconds it may be, where the service says so. */
  | { readonly kind: 'later'; readonly after: number | undefined; readonly status: number }
  | { readonly kind: 'denied'; readonly status: number }
  | { readonly kind: 'absent'; readonly status: number; readonly words: string }
  | { readonly kind: 'broken'; readonly status: number; readonly words: string }
  /** Something that plays, or would, and is not what was asked for. `what` ends "it sent …". */
  | { readonly kind: 'other'; readonly what: string }
  /** Redirects that lead nowhere. */
  | { readonly kind: 'astray'; readonly detail: string }
  /** A video that tells the person of a failure; `words` as far as they are said in writing. */
  | { readonly kind: 'notice'; readonly words: string };

export interface OpenStream extends Opened {
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
}

/** Kodi follows as many (protocols.md §10.3). */
const MAX_REDIRECTS = 5;
/** Enough to know a video, or a page, by its first bytes. */
const HEAD_BYTES = 4096;

/**
 * Opens a stream as the player will: with a ranged GET, for several services answer HEAD with an error or not at all
 * (protocols.md §8.1). Nothing beyond the first bytes is read.
 * @throws UNREACHABLE, TIMEOUT, BAD_ANSWER; INVALID_REQUEST; no address is in their text
 */
export async function lookAt(request: StreamRequest): Promise<Sight> {
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

async function followRedirects(request: StreamRequest, clock: Watchdog, signal: AbortSignal): Promise<Sight> {
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
    const outcome = await exchange<Sight | { readonly to: string }>(
      bare,
      { method: 'GET', headers: own, body: undefined, signal, onSent },
      (answer) => {
        if (blocks) clock.start();
        const to = redirectTarget(answer);
        return to === undefined ? sightOf(url, answer) : { to };
      },
    ).catch((error: unknown) => {
      throw asHttpError(error, who, bare);
    });
    if (!('to' in outcome)) return outcome;
    const next = nextUrl(outcome.to, url);
    if (next === undefined) return { kind: 'astray', detail: 'redirected to what is no web address' };
    if (isNotice(next)) return NOTICE;
    if (next.origin !== url.origin) headers = {};
    url = next;
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

const NOTICE: Sight = { kind: 'notice', words: '' };
/** UsenetStreamer says beside its notice what has failed. */
const FAILURE = 'x-nzbdav-failure';

/** Statuses by which a service says that it is not ready yet, or that it is busy or restarting. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

async function sightOf(url: URL, answer: IncomingMessage): Promise<Sight> {
  const { statusCode: status = 0, headers } = answer;
  const told = headers[FAILURE];
  if (told !== undefined) return { kind: 'notice', words: wordsOf(String(told)) };
  if (isNotice(url)) return NOTICE;
  if (LATER.has(status)) return { kind: 'later', after: retryAfterOf(headers), status };
  if (status === 401 || status === 403) return { kind: 'denied', status };
  const head = await firstBytes(answer);
  if (status === 200 || status === 206) return videoIn(url, answer, head);
  const words = wordsOf(Buffer.from(head).toString('utf8'));
  return { kind: status >= 500 ? 'broken' : 'absent', status, words };
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

function videoIn(url: URL, { statusCode, headers }: IncomingMessage, head: Uint8Array): Sight {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const what =
    certainlyNoVideo(head) ?? (mayBeVideo(type) ? undefined : `a file of the type ${type.slice(0, 60)}`);
  if (what !== undefined) return { kind: 'other', what };
  const size = statusCode === 206 ? wholeSize(headers['content-range']) : lengthOf(headers['content-length']);
  // Kodi can neither seek nor tell the end of what has no size (§10.3).
  if (size === undefined) return { kind: 'other', what: 'a stream of unknown length' };
  if (size < HEAD_BYTES) return { kind: 'other', what: `a file of ${size} bytes` };
  const name = nameIn(headers['content-disposition']) ?? lastPart(url);
  if (isNotice(url, size) || isNoticeName(name ?? '')) return NOTICE;
  const mime =
    mimeByContent(head) ?? mimeByName(name ?? '') ?? (type.startsWith('video/') ? type : undefined);
  return {
    kind: 'video',
    url: playerUrl(url),
    size,
    ...(mime !== undefined && { mime }),
    ...(name !== undefined && { name }),
  };
}

/** Some servers call a video a mere file, or nothing at all. */
const mayBeVideo = (type: string) =>
  type === '' ||
  type.startsWith('video/') ||
  /^(?:application|binary)\/(?:octet-stream|x-matroska|mp4|vnd\.rn-realmedia.*|force-download|x-msdownload|download)$/.test(
    type,
  );

const wholeSize = (range = '') => lengthOf(/^bytes 0-\d{1,15}\/(\d{1,15})$/.exec(range.trim())?.[1]);

const lengthOf = (text = '') => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined);

/** RFC 6266; the encoded form is the better one. */
function nameIn(disposition = ''): string | undefined {
  const encoded = /filename\*=utf-8''([^;\s]{1,900})/i.exec(disposition)?.[1];
  const plain =
    /filename="([^"]{1,300})"/i.exec(disposition)?.[1] ?? /filename=([^;\s"]{1,300})/i.exec(disposition)?.[1];
  return asName(encoded === undefined ? plain : decoded(encoded));
}

const lastPart = (url: URL) =>
  asName(decoded(url.searchParams.get('path') ?? '')) ?? asName(decoded(url.pathname));

/** The last part of a path, where it is a video's name. */
function asName(path = ''): string | undefined {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  return mimeByName(name) === undefined ? undefined : name;
}
