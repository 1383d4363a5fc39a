import type { IncomingMessage } from 'node:http';
import { SlipstreamError } from '../errors/index.ts';
import { CrossOriginRedirect } from './cross-origin-redirect.ts';
import type { HttpResponse } from './http-answer.ts';
import { ACCEPTED_ENCODINGS, readBody } from './http-body.ts';
import { asHttpError, badAnswer, tooLarge } from './http-error.ts';
import { sendOverHttp } from './http-transport.ts';
import { takeLogin } from './login.ts';
import { deadlineSignal } from './wait.ts';

export { badAnswer } from './http-error.ts';

/**
 * HTTP for everything but the media bytes: small answers, whole in memory, bounded in size and time.
 * Redirects are followed by hand, so that credentials never leave the origin they are meant for.
 */
export interface HttpRequest {
  /** A user and password in it are sent as Basic credentials, unless an authorization header is given. */
  readonly url: string;
  /** Who is asked, in the person's words ("The indexer Example"); opens every message about a failure. */
  readonly who: string;
  readonly signal: AbortSignal;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | HttpBody;
  /** Milliseconds from the call to the last byte. */
  readonly timeout?: number;
  /** Bytes of the decoded body at the most. */
  readonly maxBytes?: number;
  /**
   * Redirects at the most; 0 returns the redirect itself. To another origin no header goes along but `accept` and
   * `range`; only requests that read are sent again.
   */
  readonly maxRedirects?: number;
  /** Called when the request has left us whole: from then on it is the other side that takes its time. */
  readonly onSent?: () => void;
  /** Called when the head of the answer has come, before its body; not for one that is followed elsewhere. */
  readonly onHead?: (status: number) => void;
  /**
   * Called when a redirect leads to another origin, before that is asked. Tells who is asked from then on, as `who`;
   * absent: still `who`. The address may hold a key.
   */
  readonly onCrossOriginRedirect?: (to: URL) => string;
}

/** A body that brings its own content type. */
export interface HttpBody {
  readonly type: string;
  readonly bytes: Uint8Array;
}

const DEFAULT_TIMEOUT = 30_000;
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const DEFAULT_MAX_REDIRECTS = 5;
/** Some indexers answer 403 to a request without a recognisable agent (protocols.md §5.5). */
export const USER_AGENT = 'Slipstream/0.1 (Kodi add-on)';

/**
 * Sends one request and reads the whole answer, whatever its status.
 *
 * @throws SlipstreamError UNREACHABLE, TIMEOUT, TOO_LARGE, BAD_ANSWER, or INVALID_REQUEST for an address or key that
 *   cannot be used; no address and no credentials are in its text. The signal's own reason when the signal aborts.
 */
export async function fetchBounded(request: HttpRequest): Promise<HttpResponse> {
  const { timeout = DEFAULT_TIMEOUT } = request;
  const asked: CurrentTarget = { who: request.who };
  const timedOut = () =>
    new SlipstreamError(
      'TIMEOUT',
      {
        what: `${asked.who} did not answer within ${inSeconds(timeout)}.`,
        next: 'Check that it is running and not overloaded, then try again.',
      },
      { transient: true },
    );
  const limit = deadlineSignal(request.signal, timeout, timedOut);
  try {
    return await followRedirects(request, asked, limit.signal);
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    limit.done();
  }
}

/** Who is asked just now. */
interface CurrentTarget {
  who: string;
}

async function followRedirects(
  request: HttpRequest,
  asked: CurrentTarget,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const {
    maxRedirects = DEFAULT_MAX_REDIRECTS,
    maxBytes = DEFAULT_MAX_BYTES,
    method = 'GET',
    onSent,
    onHead,
    onCrossOriginRedirect: onMoved,
  } = request;
  const { body, type } = bodyOf(request);
  const from = parseHttpUrl(request.url, asked.who);
  let url = new URL(from);
  let headers = headersOf({ ...type, ...request.headers }, asked.who);
  for (let redirects = 0; ; redirects++) {
    const at = url;
    const login = takeLogin(at);
    if (login !== undefined) headers['authorization'] ??= login;
    const outcome = await sendOverHttp<HttpResponse | string>(
      at,
      { method, headers, body, signal, ...(onSent !== undefined && { onSent }) },
      (answer) => {
        const location = maxRedirects === 0 ? undefined : redirectTarget(answer);
        if (location !== undefined) return location;
        onHead?.(answer.statusCode ?? 0);
        return readAnswer(answer, at, maxBytes, asked.who);
      },
    ).catch((error: unknown) => {
      throw asHttpError(error, asked.who, at);
    });
    if (typeof outcome !== 'string') return outcome;
    if (redirects >= maxRedirects) throw badAnswer(asked.who, `more than ${maxRedirects} redirects`);
    const next = nextUrl(outcome, url, asked.who);
    const isMoved = next.origin !== url.origin;
    if (!canFollow(method, !isMoved)) throw notResentError(asked.who, from, next);
    if (isMoved) {
      headers = headersOf(withoutCredentials(headers), asked.who);
      asked.who = onMoved?.(next) ?? asked.who;
    }
    url = next;
  }
}

function bodyOf({ body }: HttpRequest): {
  body: string | Uint8Array | undefined;
  type?: Record<string, string>;
} {
  if (typeof body !== 'object') return { body };
  return { body: body.bytes, type: { 'content-type': body.type } };
}

/** What a header can hold (RFC 9110 §5.5); the rest would end it, or cannot be told from its Latin-1 bytes. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function headersOf(own: Readonly<Record<string, string>>, who: string): Record<string, string> {
  const headers: Record<string, string> = {
    accept: '*/*',
    'accept-encoding': ACCEPTED_ENCODINGS,
    'user-agent': USER_AGENT,
  };
  for (const [name, value] of Object.entries(own)) {
    const trimmed = value.trim();
    if (!HEADER_VALUE.test(trimmed)) throw invalidHeaderError(name, who);
    headers[name.toLowerCase()] = trimmed;
  }
  return headers;
}

/** What is asked for is no credential, and without its range a file would come whole. */
const withoutCredentials = ({ accept, range }: Readonly<Record<string, string>>): Record<string, string> => ({
  ...(accept !== undefined && { accept }),
  ...(range !== undefined && { range }),
});

/** The value may be a key: it is not quoted. */
const invalidHeaderError = (name: string, who: string) =>
  new SlipstreamError(
    'INVALID_REQUEST',
    {
      what: `The key, user or password for ${lowerThe(who)} holds a character that cannot be sent.`,
      next: 'Enter it again, without line breaks or special characters.',
    },
    { detail: `header ${name}` },
  );

function redirectTarget({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined;
}

function nextUrl(location: string, base: URL, who: string): URL {
  const next = URL.canParse(location, base.href) ? new URL(location, base) : undefined;
  if (next === undefined || !isHttp(next))
    throw badAnswer(who, 'it redirected to something that is no web address');
  return next;
}

/** What changes something is never sent twice; a PROPFIND means nothing without its headers. */
const canFollow = (method: string, sameOrigin: boolean) =>
  method === 'GET' || method === 'HEAD' || (method === 'PROPFIND' && sameOrigin);

const notResentError = (who: string, from: URL, to: URL): SlipstreamError =>
  to.origin === from.origin
    ? badAnswer(who, 'it redirected a request that is not sent twice')
    : new CrossOriginRedirect(who, from, to);

async function readAnswer(
  answer: IncomingMessage,
  url: URL,
  maxBytes: number,
  who: string,
): Promise<HttpResponse> {
  const body = await readBody(answer, maxBytes, () => tooLarge(who, maxBytes));
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body,
    url: url.href,
    text: () => new TextDecoder().decode(body),
  };
}

/** Parses an address that comes from a person or a service; only http and https are let through. */
export function parseHttpUrl(text: string, who: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isHttp(url)) {
    throw new SlipstreamError('INVALID_REQUEST', {
      what: `The address of ${lowerThe(who)} is not a web address.`,
      next: 'It has to start with http:// or https:// and name a host.',
    });
  }
  return url;
}

function inSeconds(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${seconds} second${seconds === 1 ? '' : 's'}`;
}

const isHttp = ({ protocol }: URL) => protocol === 'http:' || protocol === 'https:';

/** "The indexer X" inside of a sentence; a name keeps its capital. */
const lowerThe = (who: string) => who.replace(/^The /, 'the ');
