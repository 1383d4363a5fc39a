import { parseHttpUrl } from '../../io/http.ts';
import { takeLogin } from '../../io/login.ts';

/** An indexer's API, whatever the person pasted: the bare host, the full path to /api, or a whole request with key. */
export interface Endpoint {
  /** Ends in the path of the API; no query, no credentials. */
  readonly url: string;
  /** The key that was pasted with the address. */
  readonly apiKey?: string;
  /** What the address's user and password become. */
  readonly authorization?: string;
}

/** Reads an address as entered; a missing scheme is taken as https. @throws INVALID_REQUEST */
export function parseEndpoint(entered: string, who: string): Endpoint {
  const text = entered.trim();
  const url = parseHttpUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`, who);
  const path = url.pathname.replace(/\/+$/, '');
  const apiKey = url.searchParams.get('apikey') ?? '';
  const authorization = takeLogin(url);
  return {
    url: `${url.origin}${path.endsWith('/api') ? path : `${path}/api`}`,
    ...(apiKey !== '' && { apiKey }),
    ...(authorization !== undefined && { authorization }),
  };
}
