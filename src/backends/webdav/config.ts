import { parseHttpUrl } from '../../io/http.ts';
import { basicAuthorization } from '../../io/login.ts';

/** How messages call the backend. */
export const NAME = 'nzbdav';
export const WEBDAV_NAME = `The WebDAV of ${NAME}`;

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
}

/** Where the API answers. @throws INVALID_REQUEST */
export const apiAddress = ({ apiUrl }: WebdavConfig): string => `${baseAddress(apiUrl, NAME)}/api`;

/** The root of the WebDAV share, without a slash at its end and without credentials. @throws INVALID_REQUEST */
export const webdavAddress = ({ apiUrl, webdavUrl }: WebdavConfig): string =>
  webdavUrl === '' ? baseAddress(apiUrl, NAME) : baseAddress(webdavUrl, WEBDAV_NAME);

/** The header that opens the WebDAV share; none when neither user nor password is set. */
export function webdavHeaders({ username, password }: WebdavConfig): Record<string, string> {
  if (username === '' && password === '') return {};
  return { authorization: basicAuthorization(username, password) };
}

/** Without "/api", query, fragment, user and trailing slashes: people paste addresses as they find them. */
function baseAddress(text: string, who: string): string {
  const url = parseHttpUrl(text, who);
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (segments.at(-1) === 'api') segments.pop();
  return [url.origin, ...segments].join('/');
}
