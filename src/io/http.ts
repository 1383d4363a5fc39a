import { CancelledError, SlipstreamError } from '../errors/index.ts';
import { deadlineSignal } from './wait.ts';

/**
 * HTTP for everything but the media bytes: small answers, whole in memory, bounded in size and time.
 * Redirects are followed by hand, so that credentials never leave the origin they are meant for.
 */
export interface HttpRequest {
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
  /** Redirects at the most; 0 returns the redirect itself. */
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
 * @throws SlipstreamError UNREACHABLE, TIMEOUT, TOO_LARGE or BAD_ANSWER; CancelledError (or the signal's own
 *   reason) when the signal aborts.
 */
export async function fetchBounded(request: HttpRequest): Promise<HttpAnswer> {
  const { who, timeout = DEFAULT_TIMEOUT } = request;
  const timedOut = () =>
    new SlipstreamError(
      'TIMEOUT',
      {
        what: `${who} did not answer within ${Math.ceil(timeout / 1000)} seconds.`,
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
  const { maxRedirects = DEFAULT_MAX_REDIRECTS, maxBytes = DEFAULT_MAX_BYTES, who } = request;
  let url = parseHttpUrl(request.url, who);
  const { body, type } = await encodeBody(request.body);
  let headers = { 'user-agent': USER_AGENT, ...type, ...request.headers };
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, {
      method: request.method ?? 'GET',
      headers,
      body,
      redirect: 'manual',
      signal,
    });
    const location = redirectTarget(response);
    if (location === undefined || redirects >= maxRedirects)
      return await readAnswer(response, url, maxBytes, who);
    await response.body?.cancel();
    if (request.body !== undefined) throw badAnswer(who, 'it redirected a submission');
    const next = parseHttpUrl(new URL(location, url).href, who);
    if (next.origin !== url.origin) headers = { 'user-agent': headers['user-agent'] };
    url = next;
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

async function readAnswer(response: Response, url: URL, maxBytes: number, who: string): Promise<HttpAnswer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body !== null) {
    // Leaving the loop by an exception cancels the body and closes the connection.
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBytes) {
        throw new SlipstreamError('TOO_LARGE', {
          what: `${who} sent an answer larger than ${Math.round(maxBytes / 1024 / 1024)} MB.`,
          next: 'Check that the address belongs to the right service.',
        });
      }
      chunks.push(chunk);
    }
  }
  const body = new Uint8Array(Buffer.concat(chunks));
  return {
    status: response.status,
    headers: response.headers,
    body,
    url: url.href,
    text: () => new TextDecoder().decode(body),
  };
}

/** Parses an address that comes from a person or a service; only http and https are let through. */
export function parseHttpUrl(text: string, who: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new SlipstreamError('INVALID_REQUEST', {
      what: `The address of ${lowerFirst(who)} is not a web address.`,
      next: 'It has to start with http:// or https:// and name a host.',
    });
  }
  return url;
}

export function badAnswer(who: string, detail: string, cause?: unknown): SlipstreamError {
  return new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `${who} sent an answer that makes no sense.`,
      next: 'Check that the address belongs to the right service.',
    },
    { detail, cause },
  );
}

function asHttpError(error: unknown, who: string): Error {
  if (error instanceof SlipstreamError || error instanceof CancelledError) return error;
  const code = networkCode(error);
  if (code === undefined)
    return badAnswer(who, error instanceof Error ? error.message : String(error), error);
  return new SlipstreamError(
    'UNREACHABLE',
    {
      what: `${who} cannot be reached (${networkWords(code)}).`,
      next: 'Check that it is running and that its address and port are right.',
    },
    { cause: error, detail: code, transient: true },
  );
}

/** The system's code for a failed connection; fetch hides it one or two causes deep. */
function networkCode(error: unknown): string | undefined {
  for (let e = error, depth = 0; e instanceof Error && depth < 4; e = e.cause, depth++) {
    if ('code' in e && typeof e.code === 'string' && !e.code.startsWith('ERR_') && !e.code.startsWith('HPE_'))
      return e.code;
  }
  return undefined;
}

function networkWords(code: string): string {
  const words: Record<string, string> = {
    ECONNREFUSED: 'nothing listens there',
    ENOTFOUND: 'no such host name',
    EAI_AGAIN: 'the name server does not answer',
    EHOSTUNREACH: 'no route to it',
    ENETUNREACH: 'no network',
    ECONNRESET: 'it broke off the connection',
    UND_ERR_SOCKET: 'it broke off the connection',
    ETIMEDOUT: 'it does not respond',
    UND_ERR_CONNECT_TIMEOUT: 'it does not respond',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
    CERT_HAS_EXPIRED: 'its certificate has expired',
  };
  return words[code] ?? code;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
