import { isOwnStreamUrl } from '../host/own-stream-url.ts';
import { hexHash } from '../io/hash.ts';

/**
 * How a stream stands in the shared properties, which every add-on can read: as it is when it is ours or a path; of any
 * other address, which may hold a key or a login, only a hash, by which it can still be recognised.
 */
export function maskStreamUrl(url: string): string {
  if (url === '' || !holdsSecret(url)) return url;
  return `slipstream:${hexHash(url)}`;
}

function holdsSecret(url: string): boolean {
  if (isOwnStreamUrl(url) || !URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return username !== '' || password !== '' || /^https?:$/.test(protocol);
}
