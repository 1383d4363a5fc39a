/**
 * Takes secrets out of text before anybody sees it: those that were registered (keys, tokens, passwords from the
 * settings), and everything that by its place in a URL or header is one (docs of the services: protocols of
 * Newznab `apikey`, SABnzbd `apikey`, AltMount `download_key`, nzbdav `downloadKey`, Basic credentials).
 */
const MASK = '***';
const secrets = new Set<string>();

/** Shorter values would mask ordinary words. */
const MIN_SECRET_LENGTH = 4;

/** Registers a value that must never appear in any text of ours, in its plain, URL-encoded and Base64 forms. */
export function registerSecret(value: string): void {
  if (value.length < MIN_SECRET_LENGTH) return;
  secrets.add(value);
  secrets.add(encodeURIComponent(value));
  secrets.add(Buffer.from(value, 'utf8').toString('base64'));
}

const SECRET_PARAMETER =
  /([?&;\s]|^)((?:[\w.-]*(?:api[_-]?key|token|passw(?:or)?d|secret|download_?key)|r|i|key|auth|user|username)=)[^&#\s"'<>]+/gi;
const AUTHORIZATION = /((?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:basic|bearer)?\s*)[\w+/=.~-]+/gi;
const USER_INFO = /([a-z][a-z0-9+.-]*:\/\/)[^/\s:@]+(?::[^/\s@]*)?@/gi;
const API_KEY_HEADER = /(x-api-key["']?\s*[:=]\s*["']?)[^\s"',}]+/gi;

export function redact(text: string): string {
  let out = text;
  for (const secret of secrets) out = out.replaceAll(secret, MASK);
  return out
    .replace(USER_INFO, `$1${MASK}@`)
    .replace(SECRET_PARAMETER, `$1$2${MASK}`)
    .replace(AUTHORIZATION, `$1${MASK}`)
    .replace(API_KEY_HEADER, `$1${MASK}`);
}
