import { USER_AGENT } from '../../io/http.ts';
import type { OriginOverride } from '../../play-address/open-listed.ts';
import { resolveRedirect } from '../../play-address/redirect.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { ConnectionPool } from './http1/connections.ts';
import type { UpstreamResponse } from './http1/types.ts';

// One GET to an upstream, up to the head of its answer; redirects are followed by hand.

const MAX_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

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

export interface RequestTarget {
  readonly url: string;
  /** Sent to the url's origin only. Secret. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer, and from where it came: the target, or what it has led to, with the headers that were sent there. */
export interface FinalResponse extends UpstreamResponse {
  readonly from: RequestTarget;
}

/**
 * Sends a GET for the given bytes and resolves with the answer's head. The given headers, credentials among them, go to
 * the url's own origin only.
 *
 * @param follow Gives where a redirect is followed to, or throws.
 * @throws SourceFailure unreachable, wrong-answer, or another for a redirect to a notice; the signal's reason when it
 *   aborts before the head is there.
 */
export async function sendRequest(
  connections: ConnectionPool,
  target: RequestTarget,
  range: string,
  signal: AbortSignal,
  follow: (to: URL) => URL,
): Promise<FinalResponse> {
  let url = new URL(target.url);
  let { headers } = target;
  for (let redirects = 0; ; redirects++) {
    const answer = await connections.get(
      url,
      { ...allowedHeaders(headers), ...RANGE_HEADERS, range },
      signal,
    );
    const location = REDIRECTS.includes(answer.status) ? answer.headers.get('location') : undefined;
    if (location === undefined) return { ...answer, from: { url: url.href, headers } };
    answer.body.close();
    const next = follow(redirectTarget(location, url));
    if (redirects >= MAX_REDIRECTS) throw new SourceFailure('wrong-answer', 'too many redirects');
    if (next.origin !== url.origin) headers = {};
    url = next;
  }
}

const RANGE_HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': USER_AGENT };

function allowedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !RESERVED_HEADERS.includes(name)),
  );
}

/** Services lead to a video that tells of a failure in the place of the film (protocols.md §8.7, §8.11). */
export function rejectNotice(to: URL, elsewhere?: OriginOverride): URL {
  const next = resolveRedirect(to, elsewhere);
  if (next instanceof URL) return next;
  throw new SourceFailure('another', `led to a notice${next.kind === 'notice' ? ` (${next.clip})` : ''}`);
}

function redirectTarget(location: string, base: URL): URL {
  const target = URL.canParse(location, base.href) ? new URL(location, base) : undefined;
  if (target?.protocol !== 'http:' && target?.protocol !== 'https:')
    throw new SourceFailure('wrong-answer', 'redirected to something other than a web address');
  return target;
}
