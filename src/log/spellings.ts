/**
 * A pattern for every way in which a secret can be written: plain, percent-encoded (once or several times, in part or
 * every character of it), escaped in JSON or XML, and somewhere inside of Base64, such as the password in
 * "user:password". In any case of letters: hosts are written small, and some services answer with a key in capitals.
 */
export function secretPatternsOf(secret: string): SecretPatterns {
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = [0, 1, 2].map((offset) => base64Core(bytes, offset));
  const matching = (plain: string) => new RegExp([plain, ...base64].join('|'), 'gi');
  const usual = matching(spell(secret, characterPatterns));
  let encoded: RegExp | undefined;
  // The other one takes three times as long, and few texts have what it is for.
  return (text) => (text.includes('%') ? (encoded ??= matching(spell(secret, alsoEncoded))) : usual);
}

/** What finds the secret in this text. */
export type SecretPatterns = (text: string) => RegExp;

const spell = (text: string, of: (c: string) => string[]) => Array.from(text, (c) => anyOf(of(c))).join('');

const alsoEncoded = (c: string): string[] =>
  UNRESERVED.test(c) ? [c, percentEncoded(c)] : characterPatterns(c);

/** Base64 takes three bytes at a time: by what stands before it, the secret is written in one of three ways. */
function base64Core(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  // Characters at either end also hold bits of what stands around the secret.
  const core = encoded.slice([0, 2, 3][offset], [undefined, -3, -2][(offset + bytes.length) % 3]);
  return Array.from(core, (c) => anyOf([c, URL_SAFE[c] ?? c].flatMap(characterPatterns))).join('');
}

/** What every way of writing leaves as it is, but for who encodes every character. Most keys hold nothing else. */
const UNRESERVED = /^[A-Za-z0-9_-]$/;
const URL_SAFE: Record<string, string> = { '+': '-', '/': '_' };
const SHORT_ESCAPES: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };
const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/**
 * One character in every spelling, as patterns. What is escaped once may be escaped again ("%2541", "\\\\u0041"); how
 * often is bounded, so that a long run of escapes costs no more than any other text.
 */
function characterPatterns(c: string): string[] {
  if (UNRESERVED.test(c)) return [c];
  const code = c.codePointAt(0) ?? 0;
  const literal = c.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  const patterns = [
    /[\\"/]/.test(c) ? `\\\\{0,8}${literal}` : literal,
    percentEncoded(c),
    c
      .split('')
      .map((unit) => `\\\\{1,8}u${hex(unit.charCodeAt(0), 4)}`)
      .join(''),
    `&(?:amp;){0,4}#(?:0{0,6}${code}|x0{0,6}${hex(code, 1)});`,
  ];
  const short = SHORT_ESCAPES[c];
  const entity = ENTITIES[c];
  if (short !== undefined) patterns.push(`\\\\{1,8}${short}`);
  if (entity !== undefined) patterns.push(`&(?:amp;){0,4}${entity};`);
  if (c === ' ') patterns.push('\\+');
  return patterns;
}

const percentEncoded = (c: string) =>
  [...Buffer.from(c, 'utf8')].map((byte) => `%(?:25){0,4}${hex(byte, 2)}`).join('');

const anyOf = (patterns: readonly string[]) => `(?:${[...new Set(patterns)].join('|')})`;

/** At least so many hexadecimal digits. */
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
