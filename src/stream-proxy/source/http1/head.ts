import { SourceFailure } from '../../policy/failure.ts';

// The head of an answer: bounded, and strict wherever two readers could understand it differently (RFC 9112).

export interface Head {
  /** 1 for HTTP/1.1, 0 for HTTP/1.0. */
  readonly minor: number;
  readonly status: number;
  /** By lower-case names; a repeated field's values are joined by ", " (RFC 9110 §5.2). */
  readonly headers: ReadonlyMap<string, string>;
}

/** Bytes of one head, its empty line included. */
const MAX_HEAD = 32 * 1024;
const MAX_FIELDS = 100;

const PROTOCOL = Buffer.from('HTTP/1.');
const HEAD_END = '\r\n\r\n';

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
/** A field's name, right up to the colon (RFC 9112 §5.1). */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** A field's value: no control character but tabs. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * How many of the bytes are the head at their beginning; undefined: its end has not come yet.
 *
 * @throws SourceFailure wrong-answer, as soon as it is clear that no head will come of them.
 */
export function headLength(bytes: Buffer): number | undefined {
  const known = Math.min(bytes.length, PROTOCOL.length);
  // Told by the first bytes: who speaks another protocol might wait for us, and its "head" would never end.
  if (bytes.compare(PROTOCOL, 0, known, 0, known) !== 0) throw wrongAnswer('it does not speak HTTP/1');
  const end = bytes.indexOf(HEAD_END);
  const length = end === -1 ? bytes.length : end + HEAD_END.length;
  if (length > MAX_HEAD) throw wrongAnswer('the head is too long');
  return end === -1 ? undefined : length;
}

/**
 * Reads one whole head as `headLength` found it. Pure.
 *
 * @throws SourceFailure wrong-answer; its text holds nothing of what the server sent.
 */
export function parseHead(bytes: Buffer): Head {
  const text = bytes.toString('latin1', 0, bytes.length - HEAD_END.length);
  const [first = '', ...lines] = text.split('\r\n');
  const status = STATUS_LINE.exec(first);
  if (status === null) throw wrongAnswer('the status line is malformed');
  const headers = new Map<string, string>();
  for (const field of unfoldLines(lines)) {
    // Split by hand: an expression for all of it would be quadratic in the blanks around the value.
    const colon = field.indexOf(':');
    const key = field.slice(0, Math.max(colon, 0)).toLowerCase();
    const value = withoutBlanks(field.slice(colon + 1));
    if (!NAME.test(key) || !VALUE.test(value)) throw wrongAnswer('a header field is malformed');
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return { minor: Number(status[1]), status: Number(status[2]), headers: withOneLength(headers) };
}

/** Joins continued lines with a space, as a user agent must (RFC 9112 §5.2). */
function unfoldLines(lines: readonly string[]): string[] {
  const fields: string[] = [];
  for (const line of lines) {
    const last = fields.at(-1);
    if (!isBlank(line.charCodeAt(0))) fields.push(line);
    else if (last === undefined) throw wrongAnswer('the first header field is a continuation');
    else fields[fields.length - 1] = `${last} ${withoutBlanks(line)}`;
    if (fields.length > MAX_FIELDS) throw wrongAnswer('there are too many header fields');
  }
  return fields;
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** Without the spaces and tabs around it (OWS, RFC 9110 §5.6.3), and those only. */
function withoutBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

/** A length that is told more than once must be the same each time (RFC 9112 §6.3, point 5). */
function withOneLength(headers: Map<string, string>): Map<string, string> {
  const told = headers.get('content-length');
  if (told === undefined) return headers;
  const [length = '', ...others] = told.split(',').map((text) => text.trim());
  if (!/^\d{1,16}$/.test(length) || !Number.isSafeInteger(Number(length)))
    throw wrongAnswer('the length is no number');
  if (others.some((other) => other !== length)) throw wrongAnswer('it tells different lengths');
  return headers.set('content-length', length);
}

const wrongAnswer = (what: string): SourceFailure => new SourceFailure('wrong-answer', what);
