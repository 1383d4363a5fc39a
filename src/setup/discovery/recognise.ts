import type { ServiceId } from '../../connections/service.ts';
import { SERVICES } from '../../connections/services/index.ts';
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

/** Pages tell their names to everybody: in their title, an attribute of its tag, or the question for a password. */
const PAGES: readonly { readonly sign: RegExp; readonly service: ServiceId; readonly label: string }[] = [
  { sign: /<title[^<]{0,300}Prowlarr/i, service: 'prowlarr', label: 'Prowlarr' },
  { sign: /<title[^<]{0,300}NZBHydra/i, service: 'hydra', label: 'NZBHydra2' },
  {
    sign: /^(?:server: nzbget|www-authenticate: basic realm="?nzbget)|<title[^<]{0,300}NZBGet/im,
    service: 'nzbget',
    label: 'NZBGet',
  },
  { sign: /<title[^<]{0,300}StreamNZB/i, service: 'streamnzb', label: 'StreamNZB' },
  { sign: /<title[^<]{0,300}AltMount/i, service: 'webdav', label: 'AltMount' },
  { sign: /<title[^<]{0,300}InfiniDysk/i, service: 'webdav', label: 'InfiniDysk' },
];

/** Where services are whose front page is not at the root of their port. */
const PATHS: readonly string[] = SERVICES.flatMap(({ usualPaths = [] }) => usualPaths);

/**
 * The version of SABnzbd that nzbdav and its fork claim to be (protocols.md §2.11). They add a status, which SABnzbd
 * itself does not (§11.2): that one serves no files.
 */
const NZBDAV_VERSION = '4.5.1';

/**
 * Finds out what listens at `origin` by questions that everybody may ask: its first page, the version of a SABnzbd
 * API, and the pages at the usual paths. Nothing is sent that could be a secret. Rejects only when the signal aborts.
 *
 * @returns undefined when it is nothing that can be set up here
 */
export async function recognise(origin: string, signal: AbortSignal): Promise<Found | undefined> {
  const page = await ask(`${origin}/`, signal);
  // What takes connections and says nothing is not asked again.
  if (page === undefined) return undefined;
  const named = namedBy(page, origin);
  if (named !== undefined) return named;
  const { version, status } = await versionAt(`${origin}/api`, signal);
  if (status === true && typeof version === 'string' && version.startsWith(NZBDAV_VERSION))
    return { service: 'webdav', url: origin, label: 'nzbdav' };
  // AltMount does not even tell its version without the key, and refuses with status 200 (§2.10).
  const refusal = await versionAt(`${origin}/sabnzbd/api`, signal);
  if (refusal.version === undefined && refusal.status === false)
    return { service: 'webdav', url: origin, label: 'AltMount' };
  return page.status === 404 ? await behindPath(origin, signal) : undefined;
}

/** Whoever has a URL base says so at the root, or answers 404 there, as NZBHydra2 does (protocols.md §6.5). */
async function behindPath(origin: string, signal: AbortSignal): Promise<Found | undefined> {
  for (const path of PATHS) {
    const page = await ask(origin + path, signal);
    const found = page && namedBy(page, origin);
    if (found !== undefined) return found;
  }
  return undefined;
}

function namedBy(page: HttpAnswer, origin: string): Found | undefined {
  const text = textOf(page);
  const named = PAGES.find(({ sign }) => sign.test(text));
  return named && { service: named.service, url: baseOf(page.url, origin), label: named.label };
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
