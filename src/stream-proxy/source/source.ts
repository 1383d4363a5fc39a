import type { IncomingMessage } from 'node:http';
import { deadlineSignal } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import { type ByteRange, parseContentRange, rangeLength } from '../range.ts';
import { type ByteStream, MessageBody } from '../reader/byte-stream.ts';
import { registerCredentials } from './credentials.ts';
import type { Connections } from './upstream.ts';

/** Where a file comes from. */
export interface SourceSpec {
  /** http(s), without user or password. */
  readonly url: string;
  /** Sent with each request to the url's origin. Secret. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Wish {
  readonly first: number;
  /** Inclusive; to the end of the file when absent. */
  readonly last?: number;
  /** What the file's size must be; absent while nobody knows. */
  readonly size?: number;
  /** Milliseconds until the head of the answer must be there. */
  readonly timeout: number;
  /** Milliseconds of silence inside the body until it counts as dead. */
  readonly stall: number;
  readonly signal: AbortSignal;
}

/** An answered wish. */
export interface OpenedRange {
  /** Starts where the wish does; a server may end it earlier. */
  readonly range: ByteRange;
  /** The size of the whole file. */
  readonly size: number;
  /** Whether the server answered 206. */
  readonly partial: boolean;
  /** Delivers exactly the range, or fails with SourceFailure. */
  readonly body: ByteStream;
}

/** Reads byte ranges from one upstream. */
export interface Source {
  /** Host and port, for messages. */
  readonly where: string;
  /** One attempt. @throws SourceFailure; the signal's reason when it aborts. */
  open(wish: Wish): Promise<OpenedRange>;
}

export function openSource(spec: SourceSpec, connections: Connections): Source {
  registerCredentials(spec);
  return {
    where: new URL(spec.url).host,
    open: async (wish) => {
      const message = await headWithin(wish, (signal) => connections.get(spec, rangeHeader(wish), signal));
      try {
        const answer = judge(message, wish);
        const body = new MessageBody(message, {
          length: rangeLength(answer.range),
          stall: wish.stall,
          signal: wish.signal,
        });
        return { ...answer, body };
      } catch (error) {
        message.destroy();
        throw error;
      }
    },
  };
}

/** Never a suffix (nzbdav answers with the wrong bytes, protocols.md §2.4): always from a known position. */
const rangeHeader = ({ first, last }: Wish): string => `bytes=${first}-${last ?? ''}`;

async function headWithin(
  wish: Wish,
  ask: (signal: AbortSignal) => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  const limit = deadlineSignal(
    wish.signal,
    wish.timeout,
    () => new SourceFailure('stalled', `no answer within ${Math.round(wish.timeout)} ms`),
  );
  try {
    return await ask(limit.signal);
  } finally {
    limit.done();
  }
}

/** Checks the head of an answer against the wish; only what is consistent in every respect is let through. */
function judge(message: IncomingMessage, wish: Wish): Omit<OpenedRange, 'body'> {
  const encoding = message.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new SourceFailure('wrong-answer', `encoded as ${encoding}`);
  const answer = message.statusCode === 206 ? judgePart(message, wish) : judgeOther(message, wish);
  if (wish.size !== undefined && answer.size !== wish.size)
    throw new SourceFailure('changed', `size is ${answer.size} instead of ${wish.size}`);
  // More than was asked for is cut off.
  const last = Math.min(answer.range.last, wish.last ?? answer.range.last);
  return { ...answer, range: { first: answer.range.first, last } };
}

function judgePart(message: IncomingMessage, wish: Wish): Omit<OpenedRange, 'body'> {
  const header = message.headers['content-range'];
  const range = parseContentRange(header);
  const size = range?.size ?? wish.size;
  if (range === undefined || size === undefined || range.first !== wish.first || range.last >= size)
    throw new SourceFailure('wrong-answer', `Content-Range "${header ?? ''}" for ${rangeHeader(wish)}`);
  const length = contentLength(message);
  if (length !== undefined && length !== rangeLength(range))
    throw new SourceFailure('wrong-answer', `Content-Length ${length} with Content-Range "${header ?? ''}"`);
  return { range: { first: range.first, last: range.last }, size, partial: true };
}

/**
 * A 200 is right only from the start on; nzbdav sends one, with a Content-Range, for "bytes=0-". It must say by itself
 * how long the file is: a web page of unknown length must not pass for the film.
 */
function judgeOther(message: IncomingMessage, wish: Wish): Omit<OpenedRange, 'body'> {
  const status = message.statusCode ?? 0;
  if (status !== 200) throw new SourceFailure(statusKind(status), `HTTP ${status}`);
  if (wish.first !== 0) throw new SourceFailure('no-ranges', 'the whole file came instead of a part');
  const header = message.headers['content-range'];
  const range = header === undefined ? undefined : parseContentRange(header);
  const length = contentLength(message) ?? range?.size;
  if (length === undefined || length === 0)
    throw new SourceFailure('wrong-answer', length === 0 ? 'the file is empty' : 'no Content-Length');
  if (header !== undefined && (range?.first !== 0 || range.last !== length - 1 || range.size !== length))
    throw new SourceFailure('wrong-answer', `Content-Length ${length} with Content-Range "${header}"`);
  return { range: { first: 0, last: length - 1 }, size: length, partial: false };
}

function statusKind(status: number): SourceFailure['kind'] {
  if (status === 401 || status === 403) return 'refused';
  if (status === 404 || status === 410) return 'missing';
  if (status === 408 || status === 429 || status >= 500) return 'unavailable';
  // Every range that is asked for lies inside of the file as it was.
  return status === 416 ? 'changed' : 'wrong-answer';
}

function contentLength(message: IncomingMessage): number | undefined {
  const text = message.headers['content-length'];
  if (text === undefined) return undefined;
  const length = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(length)) throw new SourceFailure('wrong-answer', `Content-Length "${text}"`);
  return length;
}
