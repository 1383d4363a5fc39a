import { parseHttpUrl } from '../../io/http.ts';
import { basicAuthorization } from '../../io/login.ts';
import { decodePercent } from '../../io/percent-decode.ts';

/** What the WebDAV backend has to know. Addresses as the person typed them. */
export interface WebdavConfig {
  /** Address of the SABnzbd-compatible API, with or without what servers add to it: "/api", "/content". */
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Address of the WebDAV share; empty: the same as the API's. */
  readonly webdavUrl: string;
  readonly username: string;
  readonly password: string;
  /** Empty: the backend's own default. */
  readonly movieCategory: string;
  readonly tvCategory: string;
  /** Our jobs are done before what waits, where the server lets itself be told. Absent: in their turn. */
  readonly goesFirst?: boolean;
}

/** An address without what servers add to it themselves. */
export interface WebdavAddress {
  /** Without a slash at its end. */
  readonly url: string;
  /** It ended in SABnzbd's own path: "/sabnzbd" or "/sabnzbd/api". */
  readonly hasSabPath: boolean;
}

/** Below which the API answers; people also paste the address of the share. @throws INVALID_REQUEST */
export function apiBase(config: WebdavConfig): WebdavAddress {
  const { origin, segments } = parseAddress(config.apiUrl, 'nzbdav');
  const names = namesOf(segments);
  const left = names.length - (besideShare(names) || toShare(names, config));
  return { url: [origin, ...segments.slice(0, left)].join('/'), hasSabPath: names.includes('sabnzbd', left) };
}

/** With what nzbdav's share begins: we go in by ourselves (protocols.md §2.1). */
const FOLDERS = ['content', 'completed-symlinks', 'nzbs', '.ids'];
/** Those that hold a folder for each category, whatever its name. AltMount: `/webdav/complete` (protocols.md §2.10). */
const OF_ANY_CATEGORY = new Set(['content', 'completed-symlinks', 'complete']);
/** Below others only these are taken for a category, beside the person's (protocols.md §1.3, §2.10). */
const CATEGORIES = [
  'uncategorized',
  'audio',
  'software',
  'tv',
  'movies',
  'music',
  'books',
  'adult',
  'default',
];
/** So a reverse proxy may call its path to the server itself; no category is called so, but for the person's. */
const SERVER = /^(?:(?:nzb-?|web)?dav|altmount|infinidysk)(?![a-z])/;
/** Ends of addresses of the API, and of what nzbdav serves by links. */
const BESIDE_SHARE = [['api', 'sabnzbd'], ['sabnzbd', 'api'], ['sabnzbd'], ['api'], ['view']];

/**
 * Below which the share is, without credentials. What lies in it is left out of the address; any other path may be a
 * reverse proxy's, whatever it is called. @throws INVALID_REQUEST
 */
export function shareBase(config: WebdavConfig): string {
  if (config.webdavUrl === '') return apiBase(config).url;
  const { origin, segments } = parseAddress(config.webdavUrl, 'the WebDAV share');
  const names = namesOf(segments);
  const left = names.length - (besideShare(names) || insideShare(names, config));
  return [origin, ...segments.slice(0, left)].join('/');
}

const namesOf = (segments: readonly string[]): string[] =>
  segments.map((segment) => decodePercent(segment).toLowerCase());

/** How many names at the end of a path lead to the API, or to what is served by links. */
const besideShare = (names: readonly string[]): number =>
  BESIDE_SHARE.find((end) => end.every((name, i) => names.at(i - end.length) === name))?.length ?? 0;

/** How many names at the end of a path lie in the share: none, a folder of it, or with that a category. */
function insideShare(names: readonly string[], config: WebdavConfig): number {
  if (isFolder(names)) return 1;
  const above = names.slice(0, -1);
  return isFolder(above) && isCategory(names.at(-1) ?? '', above.at(-1) ?? '', config) ? 2 : 0;
}

/** As `insideShare`, with the share's own path: AltMount's lies beside its API, at "/webdav" (protocols.md §2.10). */
function toShare(names: readonly string[], config: WebdavConfig): number {
  const inside = insideShare(names, config);
  return inside > 0 && names.at(-inside) === 'complete' ? inside + 1 : inside;
}

const isFolder = (names: readonly string[]): boolean =>
  FOLDERS.includes(names.at(-1) ?? '') || (names.at(-1) === 'complete' && names.at(-2) === 'webdav');

function isCategory(name: string, folder: string, { movieCategory, tvCategory }: WebdavConfig): boolean {
  const known = [...CATEGORIES, movieCategory.toLowerCase(), tvCategory.toLowerCase()];
  return known.includes(name) || (OF_ANY_CATEGORY.has(folder) && !SERVER.test(name));
}

/** The header that opens the WebDAV share; none when neither user nor password is set. */
export function webdavHeaders({
  username,
  password,
}: Pick<WebdavConfig, 'username' | 'password'>): Record<string, string> {
  if (username === '' && password === '') return {};
  return { authorization: basicAuthorization(username, password) };
}

/** What opens a file of the share; undefined for an address that is not of it. @throws INVALID_REQUEST */
export const webdavHeadersFor = (config: WebdavConfig, url: string): Record<string, string> | undefined =>
  url.startsWith(`${shareBase(config)}/`) ? webdavHeaders(config) : undefined;

/** Without query, fragment, user and trailing slashes: people paste addresses as they find them. */
function parseAddress(text: string, who: string): { origin: string; segments: string[] } {
  const url = parseHttpUrl(text, who);
  return { origin: url.origin, segments: url.pathname.split('/').filter((segment) => segment !== '') };
}
