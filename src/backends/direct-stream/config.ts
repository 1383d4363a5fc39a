import { parseHttpUrl } from '../../io/http.ts';
import { registerSecret } from '../../log/index.ts';
import type { Playable } from '../../model/index.ts';

/** What a service that streams by itself is reached by. The address as the person typed it. */
export interface DirectStreamConfig {
  readonly kind: 'altmount' | 'streamnzb';
  readonly url: string;
  /** AltMount's API key, StreamNZB's token. */
  readonly apiKey: string;
  /** Empty or absent: the service's own default. */
  readonly movieCategory?: string;
  readonly tvCategory?: string;
  /** Of AltMount's share, below its own address; without both what failed stays there. */
  readonly webdav?: { readonly username: string; readonly password: string };
  /** How its streams are played: through the local proxy, or by the media centre itself. */
  readonly via: Playable['via'];
}

/** How messages call the service. */
export const serviceName = ({ kind }: DirectStreamConfig): string =>
  kind === 'altmount' ? 'AltMount' : 'StreamNZB';

/** Ends of addresses that people find in the service's own pages: of its APIs, and of its Stremio add-on. */
const PASTED_PATH = /\/(?:api(?:\/.*)?|sabnzbd(?:\/.*)?|manifest\.json|configure)$/;

/** Where the service answers, without query, user and slash at its end. The key is known to the log from now on. @throws INVALID_REQUEST */
export function serviceAddress(config: DirectStreamConfig): string {
  const { origin, pathname } = parseHttpUrl(config.url.trim(), serviceName(config));
  registerSecret(config.apiKey);
  return `${origin}${pathname.replace(/\/+$/, '').replace(PASTED_PATH, '')}`;
}
