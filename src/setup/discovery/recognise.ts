import type { ServiceId } from '../../connections/service.ts';
import { fetchBounded, type HttpAnswer } from '../../io/http.ts';
import { isRecord, parseJson } from '../../io/json.ts';

/** A service that answers on the network. */
export interface Found {
  /** What it is set up as. */
  readonly service: ServiceId;
  /** As it is entered: "http://192.168.1.10:9696". */
  readonly url: string;
  /** As people call it: "Prowlarr". */
  readonly label: string;
}

/** Milliseconds for one request: they are in the same house. */
const PATIENCE = 3_000;
const MAX_BYTES = 256 * 1024;

/** Pages tell their names to everybody: in their title, a script's path, or the question for a password. */
const PAGES: readonly { readonly sign: RegExp; readonly service: ServiceId; readonly label: string }[] = [
  { sign: /<title>[^<]{0,40}Prowlarr/i, service: 'prowlarr', label: 'Prowlarr' },
  { sign: /<title>[^<]{0,40}NZBHydra/i, service: 'hydra', label: 'NZBHydra2' },
  {
    sign: /^(?:server: nzbget|www-authenticate: basic realm="?nzbget)|<title>[^<]{0,40}NZBGet/im,
    service: 'nzbget',
    label: 'NZBGet',
  },
  { sign: /<title>[^<]{0,40}StreamNZB/i, service: 'streamnzb', label: 'StreamNZB' },
  { sign: /<title>[^<]{0,40}AltMount/i, service: 'webdav', label: 'AltMount' },
  { sign: /<title>[^<]{0,40}InfiniDysk/i, service: 'webdav', label: 'InfiniDysk' },
];

/**
 * The version of SABnzbd that nzbdav and its fork claim to be (protocols.md §2.11). They add a status, which SABnzbd
 * itself does not (§11.2): that one serves no files.
 */
const NZBDAV_VERSION = '4.5.1';

/**
 * Finds out what listens at `origin` by questions that everybody may ask: its first page, and the version of a SABnzbd
 * API. Nothing is sent that could be a secret. Rejects only when the signal aborts.
 *
 * @returns undefined when it is nothing that can be set up here
 */
export async function recognise(origin: string, signal: AbortSignal): Promise<Found | undefined> {
  const page = await ask(`${origin}/`, signal);
  // What takes connections and says nothing is not asked again.
  if (page === undefined) return undefined;
  const text = textOf(page);
  const named = PAGES.find(({ sign }) => sign.test(text));
  if (named !== undefined)
    return { service: named.service, url: baseOf(page.url, origin), label: named.label };
  const { version, status } = await versionAt(`${origin}/api`, signal);
  if (status === true && typeof version === 'string' && version.startsWith(NZBDAV_VERSION))
    return { service: 'webdav', url: origin, label: 'nzbdav' };
  // AltMount does not even tell its version without the key, and refuses with status 200 (§2.10).
  const refusal = await versionAt(`${origin}/sabnzbd/api`, signal);
  if (refusal.version === undefined && refusal.status === false)
    return { service: 'webdav', url: origin, label: 'AltMount' };
  return undefined;
}

/** The head and the body of a page, as one text. */
function textOf(page: HttpAnswer): string {
  const { server = '', 'www-authenticate': realm = '' } = page.headers;
  return [`server: ${String(server)}`, `www-authenticate: ${realm}`, page.text()].join('\n');
}

/** Where the service lives behind a URL base: its page has sent us to `/prowlarr/login`. */
function baseOf(url: string, origin: string): string {
  const { origin: reached, pathname } = new URL(url);
  // One that sends us to another machine is entered as it was found.
  if (reached !== origin) return origin;
  return origin + pathname.replace(/\/(?:login|index\.html)?\/?$/, '');
}

interface Version {
  readonly version?: unknown;
  readonly status?: unknown;
}

async function versionAt(api: string, signal: AbortSignal): Promise<Version> {
  const answer = await ask(`${api}?mode=version&output=json`, signal);
  const json = answer?.status === 200 ? parseJson(answer.text()) : undefined;
  return isRecord(json) ? json : {};
}

async function ask(url: string, signal: AbortSignal): Promise<HttpAnswer | undefined> {
  try {
    return await fetchBounded({
      url,
      who: 'A service of the network',
      signal,
      timeout: PATIENCE,
      maxBytes: MAX_BYTES,
      maxRedirects: 3,
    });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
