import { registerLogin } from '../log/index.ts';
import { decodePercent } from './percent-decode.ts';

/** The Authorization header of Basic authentication (RFC 7617). User and password become secrets of the log. */
export function basicAuthorization(username: string, password: string): string {
  const pair = `${username}:${password}`;
  registerLogin(pair);
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}

/**
 * Takes user and password out of an address, where logs and redirects would carry them on, and gives them as an
 * Authorization header; undefined when there are none.
 */
export function takeLogin(url: URL): string | undefined {
  const { username, password } = url;
  if (username === '' && password === '') return undefined;
  const login = loginOf(url);
  url.username = '';
  url.password = '';
  return basicAuthorization(...login);
}

/** User and password of an address as they are meant; empty where there are none. A pasted one may hold a bare "%". */
export const loginOf = ({ username, password }: URL): readonly [string, string] => [
  decodePercent(username),
  decodePercent(password),
];
