import { type SecretPatterns, secretPatternsOf } from './spellings.ts';

/**
 * Takes secrets out of text before anybody sees it: those that were registered (keys, tokens, passwords from the
 * settings), and everything that by its place in a URL or header is one (protocols.md §11.4). A token that is part of
 * a path looks like any other path: it has to be registered.
 */
const MASK = '***';

/** Longest first, so that a secret that begins another one leaves nothing of it. */
const secrets: { readonly value: string; readonly patternFor: SecretPatterns }[] = [];

/** Shorter values would mask ordinary words. */
const MIN_SECRET_LENGTH = 4;
/** Longer ones are looked for in pieces: a pattern's size is limited. */
const PIECE_LENGTH = 256;
/** No service accepts more in a header; what follows is not looked for. */
const MAX_SECRET_LENGTH = 8192;

/** Registers a value that must never appear in any text of ours, however it is written (see spellings.ts). */
export function registerSecret(value: string): void {
  const known = value.slice(0, MAX_SECRET_LENGTH);
  if (known.length < MIN_SECRET_LENGTH) return;
  for (let rest = known; rest !== ''; ) {
    // What is left for the last piece goes with the one before it, so that none is too short to be looked for.
    const end = rest.length < 2 * PIECE_LENGTH ? rest.length : PIECE_LENGTH;
    registerPiece(rest.slice(0, end));
    rest = rest.slice(end);
  }
}

/** Registers "user:password" as Basic credentials hold it, and the password alone. */
export function registerLogin(pair: string): void {
  registerSecret(pair);
  registerSecret(pair.slice(pair.indexOf(':') + 1));
}

function registerPiece(value: string): void {
  if (secrets.some((secret) => secret.value === value)) return;
  secrets.push({ value, patternFor: secretPatternsOf(value) });
  secrets.sort((a, b) => b.value.length - a.value.length);
}

/** Names that are secrets wherever a value is assigned to them. */
const NAME = String.raw`[\w.-]{0,40}(?:api[_-]?key|token|passw(?:or)?d|secret|download_?key)`;
/** Names that are secrets only in a URL's query: elsewhere they are ordinary words. */
const QUERY_NAME = String.raw`(?:${NAME}|[\w.-]{0,40}(?:username|signature)|r|i|key|auth|user|pass|sig|hash)`;
const HEADER_NAME = String.raw`(?:(?:proxy-)?authorization|x-api-key|x-auth-token|x-aiostreams-user-data)`;
const QUOTE = String.raw`(?:\\{0,8}["'])`;
const ASSIGNED = String.raw`${QUOTE}?\s{0,4}[:=]\s{0,4}${QUOTE}?`;

/** Each keeps its first group and masks the rest. All are linear: what repeats is bounded or cannot overlap. */
const PLACES = [
  // http://user:password@host, also as a parameter of another URL.
  /(:\/\/)[^\s/?#"<>]*(?=@)/g,
  /(%(?:25){0,4}3a(?:%(?:25){0,4}2f){2})(?:(?!%(?:25){0,4}(?:2f|40))[^\s&"<>])*(?=%(?:25){0,4}40)/gi,
  // NZBGet takes its user and password in the path: /user:password/jsonrpc.
  /((?<!\/)\/)[^\s/:"<>]{1,200}(?::|%3a)[^\s/"<>]{1,200}(?=\/(?:jsonp?|xml)rpc)/gi,
  new RegExp(String.raw`((?:[?&;]|\\u0026)${QUERY_NAME}=)[^&#\s"<>\\]+`, 'gi'),
  // The same inside of a URL that is itself a parameter.
  new RegExp(
    String.raw`(%(?:25){0,4}(?:3f|26)${QUERY_NAME}%(?:25){0,4}3d)(?:(?!%(?:25){0,4}(?:23|26))[^&#\s"<>\\])+`,
    'gi',
  ),
  new RegExp(String.raw`((?<![\w.-])${NAME}\s{0,4}=\s{0,4}${QUOTE}?)[^&#\s"'<>\\,;]+`, 'gi'),
  new RegExp(String.raw`(${QUOTE}${NAME}${QUOTE}\s{0,4}:\s{0,4}${QUOTE})[^"'\\]+`, 'gi'),
  // An element of XML, also one that is the text of another.
  new RegExp(String.raw`((?:<|&lt;)${NAME}(?:>|&gt;)(?:<!\[CDATA\[)?)[^<>&\]]+`, 'gi'),
  // Also as Kodi takes headers, behind a URL: |Authorization=Basic%20….
  new RegExp(
    String.raw`((?<!\w)${HEADER_NAME}${ASSIGNED}(?:(?:basic|bearer)(?:\s|%20|\+){1,4})?)[^\s"'\\,|&]+`,
    'gi',
  ),
  new RegExp(String.raw`((?<!\w)(?:set-)?cookie${ASSIGNED})[^\r\n"'\\|]+`, 'gi'),
];

const NONE: ReadonlySet<string> = new Set();

/** @param plain Values that are no secret elsewhere, as a user's name: a secret that merely equals one is not masked. */
export function redact(text: string, plain = NONE): string {
  let out = text;
  for (const { value, patternFor } of secrets)
    if (!plain.has(value)) out = out.replace(patternFor(out), MASK);
  for (const place of PLACES) out = out.replace(place, `$1${MASK}`);
  return out;
}
