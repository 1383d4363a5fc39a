import * as v from 'valibot';
import { fetchBounded } from '../../io/http.ts';
import { parseJson } from '../../io/json.ts';
import { isLocalHost } from '../../io/local-network.ts';
import { registerSecret } from '../../log/index.ts';

/** Milliseconds for each request: it is in the same house, and somebody waits for the next question. */
const REQUEST_TIMEOUT_MS = 2_000;
const MAX_BYTES = 16 * 1024;

/** What Prowlarr's own pages begin with (protocols.md §7.1). */
const StartPage = v.object({
  // Sonarr and Radarr have such a document as well, and another API; Lidarr and Readarr have this one.
  apiRoot: v.pipe(v.string(), v.endsWith('/api/v1')),
  apiKey: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{8,200}$/)),
  urlBase: v.string(),
  version: v.string(),
});

/** What tells it from Lidarr and Readarr: `GET /api/v1/system/status` (protocols.md §7.5). */
const Status = v.object({ appName: v.literal('Prowlarr') });

/**
 * The API key that Prowlarr tells everybody where it wants no login of those who ask from its own network. It is asked
 * there only: over the internet the key could be read on the way. It counts only where Prowlarr says by that key who it
 * is. Rejects only when the signal aborts.
 *
 * @param entered Its address, as it was entered.
 */
export async function fetchProwlarrKey(entered: string, signal: AbortSignal): Promise<string | undefined> {
  if (!URL.canParse(entered)) return undefined;
  const { origin, pathname, username } = new URL(entered);
  const isHere = origin !== 'null' && username === '' && (await isLocalHost(new URL(origin), signal));
  if (!isHere) return undefined;
  const base = pathname.replace(/\/(?:api(?:\/v1)?\/?)?$/, '');
  const start = await fetchJson(StartPage, `${origin}${base}/initialize.json`, signal);
  if (start === undefined) return undefined;
  registerSecret(start.apiKey);
  const key = { 'x-api-key': start.apiKey };
  const status = await fetchJson(Status, `${origin}${base}/api/v1/system/status`, signal, key);
  return status === undefined ? undefined : start.apiKey;
}

/** With a login it answers with a redirect to that. */
async function fetchJson<Read>(
  schema: v.GenericSchema<unknown, Read>,
  url: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Read | undefined> {
  try {
    const bounds = { timeout: REQUEST_TIMEOUT_MS, maxBytes: MAX_BYTES, maxRedirects: 0 };
    const answer = await fetchBounded({ url, who: 'Prowlarr', signal, headers, ...bounds });
    const parsed = v.safeParse(schema, answer.status === 200 ? parseJson(answer.text()) : undefined);
    return parsed.success ? parsed.output : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
