import { parseHttpUrl } from '../../../io/http.ts';
import { takeLogin } from '../../../io/login.ts';
import { registerSecret } from '../../../log/index.ts';

/** Where a service answers, whatever the person pasted: the bare host, the path to its API, or a request with key. */
export interface SourceAddress {
  /** Without "/api", query, credentials and slash at its end. */
  readonly base: string;
  /** The key that was pasted with the address. */
  readonly apiKey?: string;
  /** What the address's user and password become; downloads from the same origin need them as well. */
  readonly login?: Login;
}

interface Login {
  readonly authorization: string;
  /** As a URL writes them. */
  readonly username: string;
  readonly password: string;
}

/**
 * Reads an address as entered; a missing scheme is taken as https.
 *
 * @param api how the path to the API ends, where people paste it too
 * @throws INVALID_REQUEST
 */
export function parseAddress(entered: string, who: string, api = /\/api$/): SourceAddress {
  const text = entered.trim();
  const url = parseHttpUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`, who);
  const path = url.pathname.replace(/\/+$/, '').replace(api, '');
  const apiKey = url.searchParams.get('apikey') ?? '';
  const { username, password } = url;
  const authorization = takeLogin(url);
  return {
    base: `${url.origin}${path}`,
    ...(apiKey !== '' && { apiKey }),
    ...(authorization !== undefined && { login: { authorization, username, password } }),
  };
}

/** The key to use: the one entered as such, else the pasted one. The log will know it. */
export function apiKeyOf(entered: string, { apiKey = '' }: SourceAddress): string {
  const key = entered.trim() || apiKey;
  registerSecret(key);
  return key;
}

/** By what the same indexer is known at several addresses: host and port, without what sites put before them. */
export function placed(address: string): { place?: string } {
  if (!URL.canParse(address)) return {};
  // The usual ports of both schemes are no part of it.
  const place = new URL(address).host.replace(/^(?:api|www)\./, '');
  return place === '' ? {} : { place };
}

/** A link as it can be fetched later: with the address's login, where it leads to the same origin. */
export function withLogin(link: URL, { base, login }: SourceAddress): string {
  if (login === undefined || link.origin !== new URL(base).origin || link.username !== '') return link.href;
  const own = new URL(link);
  own.username = login.username;
  own.password = login.password;
  return own.href;
}

/** The web address that a source wrote, which may be relative; undefined for anything else. */
export function parseLink(text: string, base: string): URL | undefined {
  if (text === '' || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}
