import { SlipstreamError } from '../errors/index.ts';
import { registerLogin } from '../log/index.ts';
import { asHttpError, badAnswer } from './http-error.ts';
import { deadlineSignal, unlessAborted } from './wait.ts';

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
  readonly body?: string | FormData | Uint8Array<ArrayBuffer>;
  /** Milliseconds from the call to the last byte. */
  readonly timeout?: number;
  /** Bytes of the decoded body at the most. */
  readonly maxBytes?: number;
  /**
   * Redirects at the most; 0 returns the redirect itself. To another origin no header goes along; only requests that
   * read are sent again.
   */
  readonly maxRedirects?: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The body as UTF-8. */
  text(): string;
  /** Where the answer came from after redirects. */
  readonly url: string;
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
export async function fetchBounded(request: HttpRequest): Promise<HttpAnswer> {
  const { who, timeout = DEFAULT_TIMEOUT } = request;
  const timedOut = () =>
    new SlipstreamError(
      'TIMEOUT',
      {
        what: `${who} did not answer within ${inSeconds(timeout)}.`,
        next: 'Check that it is running and not overloaded, then try again.',
      },
      { transient: true },
    );
  const limit = deadlineSignal(request.signal, timeout, timedOut);
  try {
    return await followRedirects(request, limit.signal);
  } catch (error) {
    if (limit.signal.aborted) throw limit.signal.reason;
    throw asHttpError(error, who);
  } finally {
    limit.done();
  }
}

async function followRedirects(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  const { maxRedirects = DEFAULT_MAX_REDIRECTS, maxBytes = DEFAULT_MAX_BYTES, method = 'GET', who } = request;
  let url = parseHttpUrl(request.url, who);
  const { body, type } = await encodeBody(request.body);
  let headers = headersOf({ who, headers: { ...type, ...request.headers } });
  for (let redirects = 0; ; redirects++) {
    moveCredentials(url, headers);
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal,
    });
    const location = redirectTarget(response);
    if (location === undefined || maxRedirects === 0)
      return await readAnswer(response, url, maxBytes, who, signal);
    // The answer's body is of no use; when it cannot be ended, the signal or the server ends it.
    response.body?.cancel().catch(() => undefined);
    if (redirects >= maxRedirects) throw badAnswer(who, `more than ${maxRedirects} redirects`);
    const next = nextUrl(location, url, who);
    if (!mayFollow(method, next.origin === url.origin)) throw movedAway(who, next);
    if (next.origin !== url.origin) headers = headersOf({ who });
    url = next;
  }
}

function headersOf({ headers, who }: Pick<HttpRequest, 'headers' | 'who'>): Headers {
  const all = new Headers({ 'user-agent': USER_AGENT });
  for (const [name, value] of Object.entries(headers ?? {})) {
    try {
      all.set(name, value);
    } catch {
      // The original error quotes the value, which may be a key: it is not kept.
      throw new SlipstreamError(
        'INVALID_REQUEST',
        {
          what: `The key, user or password for ${lowerThe(who)} holds a character that cannot be sent.`,
          next: 'Enter it again, without line breaks or special characters.',
        },
        { detail: `header ${name}` },
      );
    }
  }
  return all;
}

/** fetch refuses an address with a user in it; people and proxies use them, so they are sent as what they mean. */
function moveCredentials(url: URL, headers: Headers): void {
  if (url.username === '' && url.password === '') return;
  const pair = `${decoded(url.username)}:${decoded(url.password)}`;
  registerLogin(pair);
  if (!headers.has('authorization'))
    headers.set('authorization', `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`);
  url.username = '';
  url.password = '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The body as fetch gets it; a form as bytes. When a fetch of a FormData aborts, Node 24 rejects a promise of its own that
 * nobody can catch, which would end the process.
 */
async function encodeBody(
  body: HttpRequest['body'],
): Promise<{ body: string | Uint8Array<ArrayBuffer> | null; type?: Record<string, string> }> {
  if (!(body instanceof FormData)) return { body: body ?? null };
  const form = new Response(body);
  return {
    type: { 'content-type': form.headers.get('content-type') ?? '' },
    body: new Uint8Array(await form.arrayBuffer()),
  };
}

function redirectTarget(response: Response): string | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined;
  return response.headers.get('location') ?? undefined;
}

function nextUrl(location: string, base: URL, who: string): URL {
  const next = URL.canParse(location, base.href) ? new URL(location, base) : undefined;
  if (next === undefined || !isHttp(next))
    throw badAnswer(who, 'it redirected to something that is no web address');
  return next;
}

/** What changes something is never sent twice; a PROPFIND means nothing without its headers. */
const mayFollow = (method: string, sameOrigin: boolean) =>
  method === 'GET' || method === 'HEAD' || (method === 'PROPFIND' && sameOrigin);

function movedAway(who: string, { origin }: URL): SlipstreamError {
  return new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `${who} sends us on to another address (${origin}).`,
      next: 'Enter that address in the settings.',
    },
    { detail: 'it redirected a request that is not sent twice' },
  );
}

async function readAnswer(
  response: Response,
  url: URL,
  maxBytes: number,
  who: string,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const body =
    response.body === null ? new Uint8Array() : await readBody(response.body, maxBytes, who, signal);
  return {
    status: response.status,
    headers: response.headers,
    body,
    url: url.href,
    text: () => new TextDecoder().decode(body),
  };
}

async function readBody(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  who: string,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      // Node's fetch never ends a body that broke off inside of its compression, not even by its own signal.
      const { done, value } = await unlessAborted(reader.read(), signal);
      if (done) return joined(chunks, size);
      size += value.byteLength;
      if (size > maxBytes) throw tooLarge(who, maxBytes);
      chunks.push(value);
    }
  } finally {
    // Closes the connection when the body was not read to its end. What hangs is not waited for.
    reader.cancel().catch(() => undefined);
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

function tooLarge(who: string, maxBytes: number): SlipstreamError {
  const limit =
    maxBytes < 1024 * 1024 ? `${Math.ceil(maxBytes / 1024)} KB` : `${Math.round(maxBytes / 1024 / 1024)} MB`;
  return new SlipstreamError('TOO_LARGE', {
    what: `${who} sent an answer larger than ${limit}.`,
    next: 'Check that the address belongs to the right service.',
  });
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
