import { INFINIDYSK, NZBDAV } from '../../../sandbox/nzbdav/dialect.ts';
import { rangeAnswer } from '../../../sandbox/nzbdav/range.ts';
import type { Request } from './request.ts';
import type { DialectName, HeadLie, Region } from './script.ts';

/** What stands before a body, and which bytes the body then holds. */
export interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: there is no body. */
  readonly body?: Region;
}

/** What a head is made from. */
export interface FileFacts {
  readonly size: number;
  readonly etag?: string;
  readonly lastModified?: string;
}

const EMPTY = { 'content-length': '0' };

/** A head without a body. */
export const emptyHead = (status: number, headers: Readonly<Record<string, string>> = {}): Head => ({
  status,
  headers: { ...EMPTY, ...headers },
});

/** The head that a server of this dialect answers when nothing is wrong. */
export function honestHead(request: Request, file: FileFacts, dialect: DialectName): Head {
  const range = request.headers.get('range');
  const answer =
    dialect === 'go' ? goRange(range, file.size) : davRange(request.method, range, file.size, dialect);
  if (answer === 416) return emptyHead(416, { 'content-range': `bytes */${file.size}` });
  if (answer === 500) return emptyHead(500);
  const { status, body, told } = answer;
  return {
    status,
    body,
    headers: {
      date: new Date().toUTCString(),
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'content-length': String(body.last - body.first + 1),
      ...(told ? { 'content-range': `bytes ${body.first}-${body.last}/${file.size}` } : {}),
      ...(file.etag === undefined ? {} : { etag: file.etag }),
      ...(file.lastModified === undefined ? {} : { 'last-modified': file.lastModified }),
    },
  };
}

type RangeFound = { readonly status: 200 | 206; readonly body: Region; readonly told: boolean } | 416 | 500;

/** protocols.md §2.4. */
function davRange(method: string, range: string | undefined, size: number, name: DialectName): RangeFound {
  const dialect = name === 'nzbdav' ? NZBDAV : INFINIDYSK;
  const heard = method === 'HEAD' && !dialect.rangedHead ? undefined : range;
  const answer = rangeAnswer(heard, size, dialect);
  if (answer.status === 416 || answer.status === 500) return answer.status;
  const { status, start, end, contentRange } = answer;
  return { status, body: { first: start, last: end - 1 }, told: contentRange !== undefined };
}

/** One range, as http.ServeContent reads it: 416 also for what makes no sense. */
function goRange(range: string | undefined, size: number): RangeFound {
  if (range === undefined) return { status: 200, body: { first: 0, last: size - 1 }, told: false };
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (from === undefined || to === undefined || from + to === '') return 416;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first >= size || last < first) return 416;
  return { status: 206, body: { first, last }, told: true };
}

/** The same head with a lie in it. `nonce` differs with each answer. */
export function falsifyHead(head: Head, lie: HeadLie, file: FileFacts, nonce: number): Head {
  const { body } = head;
  if (body === undefined) return head;
  const { first, last } = body;
  const range = (from: number, to: number, size = file.size) =>
    withHeaders(head, { 'content-range': `bytes ${from}-${to}/${size}` });
  switch (lie.what) {
    case 'first':
      return range(Math.max(0, first + lie.by), last);
    case 'last':
      return range(first, last + lie.by);
    case 'size':
      return range(first, Math.min(last, file.size + lie.by - 1), file.size + lie.by);
    case 'length':
      return withHeaders(head, { 'content-length': String(Math.max(0, last - first + 1 + lie.by)) });
    case 'whole':
      return wholeFile(head, file.size);
    case 'no-content-range':
      return withHeaders(head, { 'content-range': undefined });
    case 'content-range':
      return withHeaders(head, { 'content-range': lie.value });
    case 'encoding':
      return withHeaders(head, { 'content-encoding': lie.value });
    case 'etag':
      return withHeaders(head, { etag: `"${nonce}"` });
    case 'last-modified':
      return withHeaders(head, { 'last-modified': new Date(nonce * 1000).toUTCString() });
    case 'chunked':
      return withHeaders(head, { 'content-length': undefined, 'transfer-encoding': 'chunked' });
    case 'no-length':
      return withHeaders(head, { 'content-length': undefined, connection: 'close' });
    case 'less':
      return lessOf(head, file.size, lie.bytes);
  }
}

function wholeFile(head: Head, size: number): Head {
  const whole = withHeaders(head, { 'content-range': undefined, 'content-length': String(size) });
  return { ...whole, status: 200, body: { first: 0, last: size - 1 } };
}

/** Only a part may be made shorter: a short 200 would be a shorter file. */
function lessOf(head: Head, size: number, bytes: number): Head {
  if (head.status !== 206 || head.body === undefined) return head;
  const { first } = head.body;
  const last = Math.min(head.body.last, first + bytes - 1);
  const headers = {
    'content-range': `bytes ${first}-${last}/${size}`,
    'content-length': String(last - first + 1),
  };
  return { ...withHeaders(head, headers), body: { first, last } };
}

function withHeaders(head: Head, changes: Readonly<Record<string, string | undefined>>): Head {
  const merged = Object.entries({ ...head.headers, ...changes });
  const kept = merged.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...head, headers: Object.fromEntries(kept) };
}

/** The head as it goes over the wire. */
export function headText({ status, headers }: Head): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Any\r\n${fields.join('')}\r\n`;
}
