// What of an answer of StreamNZB is compared as it is, and what, being a run's own, by its form.

const HEADERS = [
  ...['content-type', 'content-disposition', 'content-range', 'accept-ranges', 'location', 'cache-control'],
  ...['access-control-allow-origin', 'x-content-type-options'],
];

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** @param isExact the body is of a length that is the same in every run */
export function streamNzbHeaders(headers: Headers, isExact: boolean): Record<string, unknown> {
  const told = HEADERS.filter((name) => headers[name] !== undefined);
  return {
    ...Object.fromEntries(told.map((name) => [name, withoutBoundary(String(headers[name]))])),
    ...(headers['transfer-encoding'] !== undefined && { 'transfer-encoding': 'told' }),
    ...(headers['content-length'] !== undefined && {
      'content-length': isExact ? headers['content-length'] : 'told',
    }),
  };
}

const withoutBoundary = (value: string) => value.replace(/boundary=[0-9a-f]{60}$/, 'boundary=<60 hex>');

/** What came of a body: how much, and whether it was all that was promised. */
export interface CameBody {
  readonly text: string;
  readonly length: number;
  readonly isBroken: boolean;
}

/** The length of a film's body that was recorded; undefined: it was no film's. */
export function recordedLength(text: string): Omit<CameBody, 'text'> | undefined {
  const isBroken = text.endsWith('then the connection broke off)');
  if (/^\(no b(?:yte of the b)?ody/.test(text)) return { length: 0, isBroken };
  const length = /^\((\d+) bytes,/.exec(text)?.[1];
  return length === undefined ? undefined : { length: Number(length), isBroken };
}

export function streamNzbForm(text: string): unknown {
  if (/^\(an HTML page of \d+ bytes|^<(?:a href|!DOCTYPE html)/.test(text)) return 'HTML';
  // Of a list that was cut, the rows that were kept.
  if (text.startsWith('[{"id"')) return attempts(text.replace(/,\{(?:(?!\},\{).)*(?<!\])$/, ']'));
  return /^[{[]/.test(text) ? (JSON.parse(text) as unknown) : text.trim();
}

interface RecordedAttempt {
  readonly id: unknown;
  readonly tried_at: string;
  readonly failure_reason?: string;
}

/** So many of the recorded ones were kept whole. */
const ATTEMPTS = 5;

const attempts = (text: string) =>
  (JSON.parse(text) as RecordedAttempt[])
    .slice(0, ATTEMPTS)
    .map(({ id, tried_at, failure_reason, ...told }) => ({
      ...told,
      id: typeof id,
      tried_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(tried_at),
      reason: failure_reason === undefined ? 'none' : reasonForm(failure_reason),
    }));

const reasonForm = (reason: string) => reason.replace(/(?<=fetch segment ).+(?=: 430)/, '<id>');
