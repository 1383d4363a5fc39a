import { SlipstreamError } from '../errors/index.ts';
import type { HttpResponse } from './http-answer.ts';

/** What was asked leads on to another origin, to which neither a key nor a password goes. */
export class CrossOriginRedirect extends SlipstreamError {
  readonly #from: URL;
  readonly #to: URL;

  /** @param base Below which `from` was asked, as it was entered; absent: its origin. */
  constructor(who: string, from: URL, to: URL, base = from.origin) {
    const what = isHttps(from, to)
      ? `${from.host} leads on to HTTPS.`
      : `${who} sends us on to another address (${to.origin}).`;
    const next = `Enter ${addressAt(from, to, base)} as its address.`;
    super('BAD_ANSWER', { what, next }, { detail: 'redirected to another origin' });
    this.#from = from;
    this.#to = to;
  }

  /** What is to be entered in place of `base`: without user, query and key. */
  addressFor(base: string): string {
    return addressAt(this.#from, this.#to, base);
  }
}

const isHttps = (from: URL, to: URL): boolean =>
  to.hostname === from.hostname && to.protocol === 'https:' && from.protocol === 'http:';

/** What was asked below the base has moved there as a whole, or is answered by something else, such as a login page. */
function addressAt(from: URL, to: URL, base: string): string {
  const path = new URL(base).pathname.replace(/\/+$/, '');
  const below = from.pathname.startsWith(path) ? from.pathname.slice(path.length) : '';
  if (below !== '' && to.pathname.endsWith(below)) return to.origin + to.pathname.slice(0, -below.length);
  return to.hostname === from.hostname ? to.origin + path : to.origin;
}

interface RequestTarget {
  /** As HttpRequest.who. */
  readonly who: string;
  readonly url: string;
  /** As it was entered, without what a request adds. */
  readonly base?: string;
}

/**
 * Whether another origin than the one that was asked has answered, or is to be asked.
 * @returns undefined where it was the same, or no web address
 */
export function findCrossOriginRedirect(
  { who, url: asked, base }: RequestTarget,
  { status, headers, url }: HttpResponse,
): CrossOriginRedirect | undefined {
  const { location } = headers;
  const isRedirect = status >= 300 && status < 400 && location !== undefined && URL.canParse(location, url);
  const [from, to] = [new URL(asked), isRedirect ? new URL(location, url) : new URL(url)];
  return to.origin === from.origin || to.origin === 'null'
    ? undefined
    : new CrossOriginRedirect(who, from, to, base);
}

const REFUSED_STATUSES: ReadonlySet<number> = new Set([401, 403]);

/**
 * A refusal by another origin than the one that was asked says nothing of the key, which did not go there.
 * @returns the failure to tell: that of the address, or the one that was given
 */
export function preferRedirectError(
  failure: SlipstreamError,
  asked: RequestTarget,
  answer: HttpResponse,
): SlipstreamError {
  if (failure.code !== 'AUTH_FAILED' && !REFUSED_STATUSES.has(answer.status)) return failure;
  return findCrossOriginRedirect(asked, answer) ?? failure;
}
