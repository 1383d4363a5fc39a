import { fetchBounded } from '../../io/http.ts';
import { type HttpResponse } from '../../io/http-answer.ts';
import { isRecord, parseJson } from '../../io/json.ts';
import { isKeyRefusal, keyRefusedError } from '../sabnzbd/answer.ts';
import type { WebdavAddress } from './config.ts';
import { ALTMOUNT, type Dialect, INFINIDYSK, NZBDAV, SABNZBD } from './dialect/index.ts';

interface DetectContext {
  readonly api: WebdavAddress;
  readonly apiKey: string;
  /** Milliseconds for one request. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** How the key can be shown, and where the API can be. */
type ApiAccess = Pick<Dialect, 'apiPath' | 'keyIn'>;

const HEADER: ApiAccess = { apiPath: '/api', keyIn: 'header' };
const QUERY: ApiAccess = { apiPath: '/api', keyIn: 'query' };
const SAB_PATH: ApiAccess = { apiPath: '/sabnzbd/api', keyIn: 'query' };

/** An answer to `mode=status`. */
const MAX_BYTES = 1024 * 1024;

/**
 * Finds out what kind of server this is by its answer to `mode=status` (protocols.md §2.11).
 * @returns undefined when nothing speaks SABnzbd's dialect there
 * @throws AUTH_FAILED in the name of the server that refuses the key; UNREACHABLE, TIMEOUT
 */
export async function detectServer(question: DetectContext): Promise<Dialect | undefined> {
  // The key goes into an address only where a header has not been enough.
  const doors = question.api.hasSabPath ? [SAB_PATH] : [HEADER, QUERY, SAB_PATH];
  let refused: Dialect | undefined;
  for (const door of doors) {
    if (door === QUERY && refused === undefined) continue;
    const answer = await probeAccess(door, question);
    if (answer === undefined) continue;
    if (!isKeyRefusal(answer)) {
      const kind = detectDialect(door, answer);
      if (kind !== undefined) return kind;
      continue;
    }
    refused = dialectByRefusal(door, answer);
    // nzbdav takes the key as a header, and has refused this one.
    if (refused === NZBDAV) break;
  }
  if (refused !== undefined) throw keyRefusedError(refused, 'found while recognising it');
  return undefined;
}

/** @returns undefined when no such API answers there */
async function probeAccess(
  { apiPath, keyIn }: ApiAccess,
  { api, apiKey, timeout, signal }: DetectContext,
): Promise<HttpResponse | undefined> {
  const query = new URLSearchParams({ mode: 'status', output: 'json' });
  if (keyIn === 'query') query.set('apikey', apiKey);
  const answer = await fetchBounded({
    url: `${api.url}${apiPath}?${query.toString()}`,
    who: 'nzbdav',
    headers: { accept: 'application/json', ...(keyIn === 'header' && { 'x-api-key': apiKey }) },
    maxRedirects: 0,
    maxBytes: MAX_BYTES,
    timeout,
    signal,
  });
  const speaks = isKeyRefusal(answer) || (answer.status === 200 && isRecord(parseJson(answer.text())));
  return speaks ? answer : undefined;
}

/**
 * Who takes the key as a header is of nzbdav's family, however many fields `status` has there. SABnzbd tells its version,
 * and its key where it lets everybody in; AltMount says true.
 */
function detectDialect(door: ApiAccess, answer: HttpResponse): Dialect | undefined {
  const body = parseJson(answer.text());
  const status = isRecord(body) ? body['status'] : undefined;
  const isSab = isRecord(status) && 'version' in status && (door !== HEADER || 'apikey' in status);
  if (isSab) return { ...SABNZBD, apiPath: door.apiPath };
  if (door === HEADER && isRecord(status)) return INFINIDYSK;
  if (status !== true || door === QUERY) return undefined;
  return door === HEADER ? NZBDAV : ALTMOUNT;
}

/** By how it refuses a key: nzbdav with 401, AltMount with 200, SABnzbd with 403. */
function dialectByRefusal({ apiPath }: ApiAccess, { status }: HttpResponse): Dialect {
  if (status === 401) return NZBDAV;
  return status === 200 ? ALTMOUNT : { ...SABNZBD, apiPath };
}
