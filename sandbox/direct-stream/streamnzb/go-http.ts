import { randomBytes } from 'node:crypto';
import type { Clip } from '../../clips/index.ts';
import { type Answer, type ClipRange, escapeXml } from '../../http/types.ts';

// Answers as Go's net/http and encoding/json write them.

/** Above this many bytes of a document its length is not told. */
const BUFFER = 2048;

export function goJson(status: number, value: unknown, headers: Answer['headers'] = {}): Answer {
  const text = JSON.stringify(value).replace(
    /[&<>]/g,
    (letter) => `\\u00${letter.codePointAt(0)!.toString(16)}`,
  );
  const body = `${text}\n`;
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    ...(Buffer.byteLength(body) > BUFFER && { chunked: true }),
  };
}

export const goError = (status: number, words: string, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: {
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  },
  body: `${words}\n`,
});

export const goRedirect = (to: string, headers: Answer['headers'] = {}): Answer => ({
  status: 307,
  headers: { ...headers, 'content-type': 'text/html; charset=utf-8', location: to },
  body: `<a href="${escapeXml(to)}">Temporary Redirect</a>.\n\n`,
});

export interface Content {
  readonly clip: Clip;
  readonly type: string;
  /** Told of errors too. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: (start: number, end: number) => ClipRange;
}

/** A file as http.ServeContent gives it that has neither an ETag nor a time: If-Range fits nothing. */
export function serveContent(
  { clip: { size }, ...content }: Content & { readonly clip: Clip },
  request: Readonly<Record<string, string>>,
): Answer {
  const { type, headers = {} } = content;
  const asked = request['if-range'] === undefined ? request['range'] : undefined;
  const ranges = asked === undefined ? [] : parseRange(asked, size);
  if (ranges === 'malformed') return goError(416, 'invalid range', headers);
  if (ranges === 'behind')
    return goError(416, 'invalid range: failed to overlap', {
      ...headers,
      'content-range': `bytes */${size}`,
    });
  const told = { ...headers, 'accept-ranges': 'bytes', 'content-type': type };
  const [first, ...more] = ranges.reduce((sum, [start, end]) => sum + end - start, 0) > size ? [] : ranges;
  if (first === undefined) return { status: 200, headers: told, body: content.body(0, size) };
  if (more.length > 0) return multipart(ranges, content, size, told);
  const [start, end] = first;
  return {
    status: 206,
    headers: { ...told, 'content-range': `bytes ${start}-${end - 1}/${size}` },
    body: content.body(start, end),
  };
}

type Stretch = readonly [start: number, end: number];

function parseRange(header: string, size: number): readonly Stretch[] | 'malformed' | 'behind' {
  if (!header.startsWith('bytes=')) return 'malformed';
  const specs = header
    .slice('bytes='.length)
    .split(',')
    .map((spec) => spec.trim())
    .filter(Boolean);
  const stretches: Stretch[] = [];
  for (const spec of specs) {
    const [, from, to] = /^(\d*)-(\d*)$/.exec(spec) ?? [];
    if (from === undefined || to === undefined || from + to === '') return 'malformed';
    const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
    if (from !== '' && to !== '' && Number(to) < start) return 'malformed';
    const end = from === '' || to === '' ? size : Math.min(size, Number(to) + 1);
    if (start < size) stretches.push([start, end]);
  }
  return specs.length > 0 && stretches.length === 0 ? 'behind' : stretches;
}

function multipart(
  ranges: readonly Stretch[],
  { type, body }: Pick<Content, 'type' | 'body'>,
  size: number,
  headers: Readonly<Record<string, string>>,
): Answer {
  const boundary = randomBytes(30).toString('hex');
  const parts = ranges.flatMap(([start, end], n) => [
    `${n === 0 ? '' : '\r\n'}--${boundary}\r\n`,
    `Content-Range: bytes ${start}-${end - 1}/${size}\r\nContent-Type: ${type}\r\n\r\n`,
    body(start, end).clip.read(start, end),
  ]);
  return {
    status: 206,
    headers: { ...headers, 'content-type': `multipart/byteranges; boundary=${boundary}` },
    body: Buffer.concat([...parts, `\r\n--${boundary}--\r\n`].map((part) => Buffer.from(part as string))),
  };
}
