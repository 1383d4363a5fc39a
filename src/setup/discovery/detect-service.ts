import type { ServiceId } from '../../connections/service.ts';
import { SERVICES } from '../../connections/services/index.ts';
import { fetchBounded } from '../../io/http.ts';
import { type HttpResponse } from '../../io/http-answer.ts';
import { isRecord, parseJson } from '../../io/json.ts';

/** A service that answers on the network. */
export interface FoundService {
  /** What it is set up as. */
  readonly service: ServiceId;
  /** What it can be set up as instead. */
  readonly alsoAs?: ServiceId;
  /** As it is entered: "http://192.168.1.10:9696". */
  readonly url: string;
  /** As people call it: "Prowlarr". */
  readonly label: string;
  /** `url` is no more than the page of the service, at which the person finds the address that is entered. */
  readonly isPage?: true;
}

/** What answers at a port. */
export interface DetectedService {
  readonly found: FoundService;
  /** Its pages are there, and its API is passed on: that may have a port of its own as well. */
  readonly isFrontEnd: boolean;
}

/** Milliseconds for one request: they are in the same house. */
const REQUEST_TIMEOUT_MS = 3_000;
const MAX_BYTES = 256 * 1024;

/** Pages tell their names to everybody: in their title, an attribute of its tag, or the question for a password. */
const PAGES: readonly (Omit<FoundService, 'url'> & { readonly sign: RegExp })[] = [
  { sign: /<title[^<]{0,300}Prowlarr/i, service: 'prowlarr', label: 'Prowlarr' },
  { sign: /<title[^<]{0,300}NZBHydra/i, service: 'hydra', label: 'NZBHydra2' },
  {
    sign: /^(?:server: nzbget|www-authenticate: basic realm="?nzbget)|<title[^<]{0,300}NZBGet/im,
    service: 'nzbget',
    label: 'NZBGet',
  },
  { sign: /<title[^<]{0,300}StreamNZB/i, service: 'streamnzb', label: 'StreamNZB' },
  {
    sign: /<title[^<]{0,300}AltMount/i,
    service: 'webdav',
    alsoAs: 'altmount',
    label: 'AltMount',
  },
  { sign: /<title[^<]{0,300}InfiniDysk/i, service: 'webdav', label: 'InfiniDysk' },
];

/** Where services are whose front page is not at the root of their port. */
const PATHS: readonly string[] = SERVICES.flatMap(({ usualPaths = [] }) => usualPaths);

/**
 * The version of SABnzbd that nzbdav and its fork claim to be (protocols.md §2.11). They add a status, which SABnzbd
 * itself does not (protocols.md §11.2): that one serves no files.
 */
const NZBDAV_VERSION = '4.5.1';

/**
 * Finds out what listens at `origin` by questions that everybody may ask: its first page, the version of a SABnzbd
 * API, the pages at the usual paths, and the manifest that AIOStreams shows to everybody. Nothing is sent that could be
 * a secret. Rejects only when the signal aborts.
 *
 * @returns undefined when it is nothing that can be set up here
 */
export async function detectService(
  origin: string,
  signal: AbortSignal,
): Promise<DetectedService | undefined> {
  const page = await requestPage(`${origin}/`, signal);
  // What takes connections and says nothing is not asked again.
  if (page === undefined) return undefined;
  const isFront = isHtmlPage(page);
  const found =
    namedBy(page, origin) ??
    (await nzbdavAt(origin, signal)) ??
    (await altmountAt(origin, signal)) ??
    (await aioStreamsAt(origin, signal)) ??
    (page.status === 404 ? await behindPath(origin, signal) : undefined);
  return found && { found, isFrontEnd: isFront };
}

/** nzbdav's back end wants its WebDAV login at the same place. */
const isHtmlPage = (page: HttpResponse): boolean => page.status === 200 && /<html[\s>]/i.test(page.text());

/** One that wants the key: its fork refuses with more words (protocols.md §2.11). */
async function nzbdavAt(origin: string, signal: AbortSignal): Promise<FoundService | undefined> {
  const { body } = await requestApi(`${origin}/api?mode=version&output=json`, signal);
  const { version, status } = body;
  if (status !== true || typeof version !== 'string' || !version.startsWith(NZBDAV_VERSION)) return undefined;
  const refusal = await requestApi(`${origin}/api?mode=queue&output=json`, signal);
  if (refusal.status !== 401) return undefined;
  const label = isRecord(refusal.body['problem']) ? 'InfiniDysk' : 'nzbdav';
  return { service: 'webdav', url: origin, label };
}

/** It does not even tell its version without the key, and refuses with status 200 (protocols.md §2.10). */
async function altmountAt(origin: string, signal: AbortSignal): Promise<FoundService | undefined> {
  const { status, body } = await requestApi(`${origin}/sabnzbd/api?mode=version&output=json`, signal);
  return status === 200 && body['version'] === undefined && body['status'] === false
    ? { service: 'webdav', alsoAs: 'altmount', url: origin, label: 'AltMount' }
    : undefined;
}

/** Without a person's part of the address its manifest offers nothing, and says whose it is (protocols.md §8.4). */
async function aioStreamsAt(origin: string, signal: AbortSignal): Promise<FoundService | undefined> {
  const { body } = await requestApi(`${origin}/stremio/manifest.json`, signal);
  return typeof body['id'] === 'string' && body['id'].startsWith('com.aiostreams.')
    ? { service: 'stremio', url: `${origin}/stremio/configure`, label: 'AIOStreams', isPage: true }
    : undefined;
}

/** Whoever has a URL base says so at the root, or answers 404 there, as NZBHydra2 does (protocols.md §6.5). */
async function behindPath(origin: string, signal: AbortSignal): Promise<FoundService | undefined> {
  for (const path of PATHS) {
    const page = await requestPage(origin + path, signal);
    const found = page && namedBy(page, origin);
    if (found !== undefined) return found;
  }
  return undefined;
}

function namedBy(page: HttpResponse, origin: string): FoundService | undefined {
  const text = textOf(page);
  const signed = PAGES.find(({ sign }) => sign.test(text));
  if (signed === undefined) return undefined;
  const { sign: _, ...named } = signed;
  return { ...named, url: baseOf(page.url, origin) };
}

/** The head and the body of a page, as one text. */
function textOf(page: HttpResponse): string {
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

interface ApiAnswer {
  readonly status: number;
  /** Empty where the answer is no object of JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

async function requestApi(url: string, signal: AbortSignal): Promise<ApiAnswer> {
  const answer = await requestPage(url, signal);
  const json = answer && parseJson(answer.text());
  return { status: answer?.status ?? 0, body: isRecord(json) ? json : {} };
}

async function requestPage(url: string, signal: AbortSignal): Promise<HttpResponse | undefined> {
  try {
    return await fetchBounded({
      url,
      who: 'A service of the network',
      signal,
      timeout: REQUEST_TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 3,
    });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
