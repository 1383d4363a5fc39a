import { parseHttpUrl } from '../../io/http.ts';
import { basicAuthorization, loginOf } from '../../io/login.ts';
import type { PathMapping } from '../../settings/path-mappings.ts';

/** How messages call the backend. */
export const NAME = 'NZBGet';

/** What the download-client backend has to know. Addresses and paths as the person typed them. */
export interface DownloadClientConfig {
  /** Address of NZBGet, with or without "/jsonrpc" at its end. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Empty: none. */
  readonly movieCategory: string;
  readonly tvCategory: string;
  /** Where Kodi finds what NZBGet has finished: a path, smb:// or nfs://. */
  readonly folder: string;
  /** How NZBGet calls that folder; empty: its DestDir. */
  readonly serverFolder: string;
  /** Further folders, beside that one. */
  readonly mappings: readonly PathMapping[];
  readonly priority: 'normal' | 'very-high' | 'force';
  /** How many other posts of a release may wait as backups; 0: none. */
  readonly backups: number;
}

/** NZBGet's own numbers (protocols.md §4.2); `force` downloads even when the server is paused. */
export const PRIORITIES: Readonly<Record<DownloadClientConfig['priority'], number>> = {
  normal: 0,
  'very-high': 100,
  force: 900,
};

export interface RpcAddress {
  /** Ends in "/jsonrpc"; without user and password. */
  readonly url: string;
  /** Sent with the first request already: with form authentication on, NZBGet never asks for it (protocols.md §4.1). */
  readonly headers: Readonly<Record<string, string>>;
}

/** A user and password that NZBGet takes as the path's first part: "/user:password/jsonrpc". */
const LOGIN_IN_PATH = /^([^:]*)(?::|%3a)(.*)$/i;

/** Where the API answers, and how it is opened; a login in the address counts only where the settings have none. */
export function rpcAddress({ url, username, password }: DownloadClientConfig): RpcAddress {
  const address = parseHttpUrl(url, NAME);
  const segments = address.pathname.split('/').filter((segment) => segment !== '');
  if (/^(?:json|jsonp|xml)rpc$/i.test(segments.at(-1) ?? '')) segments.pop();
  const inPath = LOGIN_IN_PATH.exec(segments[0] ?? '');
  if (inPath !== null) segments.shift();
  const [, pathUser = '', pathPassword = ''] = inPath ?? [];
  const fallback =
    inPath === null
      ? loginOf(address)
      : loginOf(new URL(`http://${pathUser}:${pathPassword}@${address.host}`));
  const login = password === '' && fallback.some((part) => part !== '') ? fallback : [username, password];
  const [user = '', secret = ''] = login;
  return {
    url: [address.origin, ...segments, 'jsonrpc'].join('/'),
    headers: user === '' && secret === '' ? {} : { authorization: basicAuthorization(user, secret) },
  };
}
