import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { USER_AGENT } from '../../io/http.ts';
import { SourceFailure } from '../policy/failure.ts';

/** One GET to an upstream, up to the head of its answer; redirects are followed by hand. */

const MAX_REDIRECTS = 5;
const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308];
/** Milliseconds that an unused connection is kept for the next seek. */
const IDLE_CONNECTION = 15_000;
const MAX_IDLE_CONNECTIONS = 4;

/** Ours alone: what a caller sets here would break ranges or framing. */
const RESERVED_HEADERS: readonly string[] = [
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'if-range',
  'keep-alive',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The connections to all upstreams of one proxy. */
export class Connections {
  readonly #http = new http.Agent({
    keepAlive: true,
    maxFreeSockets: MAX_IDLE_CONNECTIONS,
    timeout: IDLE_CONNECTION,
  });
  readonly #https = new https.Agent({
    keepAlive: true,
    maxFreeSockets: MAX_IDLE_CONNECTIONS,
    timeout: IDLE_CONNECTION,
  });

  /**
   * Sends a GET for the given bytes and resolves with the answer's head. The given headers, credentials among them,
   * go to the url's own origin only.
   *
   * @throws SourceFailure unreachable or wrong-answer; the signal's reason when it aborts before the head is there.
   */
  async get(
    target: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
    range: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    let url = new URL(target.url);
    let headers = ownHeaders(target.headers);
    for (let redirects = 0; ; redirects++) {
      const message = await this.#head(url, { ...headers, ...RANGE_HEADERS, range }, signal);
      const location = REDIRECTS.includes(message.statusCode) ? message.headers.location : undefined;
      if (location === undefined) return message;
      message.destroy();
      const next = redirectTarget(location, url);
      if (redirects >= MAX_REDIRECTS) throw new SourceFailure('wrong-answer', 'too many redirects');
      if (next.origin !== url.origin) headers = {};
      url = next;
    }
  }

  /** Ends every idle connection. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #head(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
    signal.throwIfAborted();
    const secure = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const request = secure
        ? https.request(url, { headers, agent: this.#https })
        : http.request(url, { headers, agent: this.#http });
      const onAbort = () => {
        request.destroy();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      // Stays for the request's whole life: after the head, an error is the body's to tell.
      request.on('error', (error: Error) => {
        signal.removeEventListener('abort', onAbort);
        reject(new SourceFailure('unreachable', error.message, error));
      });
      request.once('response', (message) => {
        signal.removeEventListener('abort', onAbort);
        resolve(message);
      });
      request.end();
    });
  }
}

const RANGE_HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': USER_AGENT };

function ownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !RESERVED_HEADERS.includes(name)),
  );
}

function redirectTarget(location: string, base: URL): URL {
  const target = URL.canParse(location, base.href) ? new URL(location, base) : undefined;
  if (target?.protocol !== 'http:' && target?.protocol !== 'https:')
    throw new SourceFailure('wrong-answer', 'redirected to something other than a web address');
  return target;
}
