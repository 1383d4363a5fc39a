import { parseHttpUrl } from '../../io/http.ts';
import { basicAuthorization } from '../../io/login.ts';

/** What the WebDAV backend has to know. Addresses as the person typed them. */
export interface WebdavConfig {
  /** Address of the SABnzbd-compatible API, with or without "/api" at its end. */
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
export interface Address {
  /** Without a slash at its end. */
  readonly url: string;
  /** It ended in SABnzbd's own path: "/sabnzbd" or "/sabnzbd/api". */
  readonly namesSab: boolean;
}

/** Below which the API answers. @throws INVALID_REQUEST */
export function apiBase({ apiUrl }: WebdavConfig): Address {
  const { origin, segments } = read(apiUrl, 'nzbdav');
  if (segments.at(-1) === 'api') segments.pop();
  const namesSab = segments.at(-1) === 'sabnzbd';
  if (namesSab) segments.pop();
  return { url: [origin, ...segments].join('/'), namesSab };
}

/** What nzbdav's share, and AltMount's, begin with: we go in by ourselves (protocols.md §2.1, §2.10). */
const OF_SHARE = ['content', 'completed-symlinks', 'nzbs', '.ids', 'complete'];
/** Of the API, and of what nzbdav serves by links. */
const BESIDE_SHARE = ['api', 'sabnzbd', 'view'];

/** Below which the share is, without credentials. @throws INVALID_REQUEST */
export function shareBase(config: WebdavConfig): string {
  if (config.webdavUrl === '') return apiBase(config).url;
  const { origin, segments } = read(config.webdavUrl, 'the WebDAV share');
  // A category may follow.
  const inside = [-1, -2].find((at) => OF_SHARE.includes(segments.at(at)?.toLowerCase() ?? ''));
  if (inside !== undefined) segments.splice(inside);
  while (BESIDE_SHARE.includes(segments.at(-1)?.toLowerCase() ?? '')) segments.pop();
  return [origin, ...segments].join('/');
}

/** The header that opens the WebDAV share; none when neither user nor password is set. */
export function webdavHeaders({ username, password }: WebdavConfig): Record<string, string> {
  if (username === '' && password === '') return {};
  return { authorization: basicAuthorization(username, password) };
}

/** Without query, fragment, user and trailing slashes: people paste addresses as they find them. */
function read(text: string, who: string): { origin: string; segments: string[] } {
  const url = parseHttpUrl(text, who);
  return { origin: url.origin, segments: url.pathname.split('/').filter((segment) => segment !== '') };
}
