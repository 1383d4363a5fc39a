import { SlipstreamError } from '../errors/index.ts';
import { fetchBounded } from '../io/http.ts';

interface RangeRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As HttpRequest.who. */
  readonly who: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Statuses by which a server says that it is busy or restarting, not that the file is bad. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
/** nzbdav answers a range that covers the whole file with 200 (protocols.md §2.4). */
const WHOLE = 200;
const PARTIAL = 206;

/** Bytes of a page that tells of an error. */
const ERROR_PAGE = 64 * 1024;

/**
 * Reads a piece of a file over HTTP; fewer bytes than asked for only at its end. As Backend.read.
 * @throws DAMAGED when the server refuses these bytes, sends others or fewer than it promises, or breaks off twice on
 *   them; AUTH_FAILED, SERVICE_ERROR, UNREACHABLE, TIMEOUT, which prove nothing
 */
export async function readRange(request: RangeRequest, range: ByteRange): Promise<Uint8Array> {
  const { who, signal } = request;
  try {
    return await readOnce(request, range);
  } catch (error) {
    signal.throwIfAborted();
    if (!isBrokenOff(error)) throw error;
  }
  // nzbdav's only word for a missing article (protocols.md §2.5); a server that restarts does it once.
  return await readOnce(request, range).catch((error: unknown) => {
    signal.throwIfAborted();
    throw isBrokenOff(error) ? damaged(who, 'breaks off where it was tried', error.message) : error;
  });
}

interface ByteRange {
  readonly from: number;
  readonly length: number;
}

const BROKEN_OFF: ReadonlySet<string> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE']);

/** The connection stood, and ended before the answer did. */
const isBrokenOff = (error: unknown): error is SlipstreamError =>
  error instanceof SlipstreamError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  BROKEN_OFF.has(String(error.cause.code));

async function readOnce(
  { url, headers, who, timeout, signal }: RangeRequest,
  { from, length }: ByteRange,
): Promise<Uint8Array> {
  const range = `bytes=${from}-${from + length - 1}`;
  const maxBytes = Math.max(length + 1, ERROR_PAGE);
  const request = { url, who, timeout, signal, headers: { ...headers, range }, maxBytes };
  const answer = await fetchBounded(request).catch((error: unknown) => {
    throw error instanceof SlipstreamError && error.code === 'TOO_LARGE' ? otherPiece(who) : error;
  });
  const { status, body } = answer;
  if (status === 401 || status === 403)
    throw new SlipstreamError(
      'AUTH_FAILED',
      {
        what: `${who} refused to deliver the file.`,
        next: 'Check the user and the password in the settings.',
      },
      { detail: `HTTP ${status}` },
    );
  if (PASSING.has(status))
    throw new SlipstreamError(
      'SERVICE_ERROR',
      { what: `${who} cannot deliver the file just now.`, next: 'Try again in a moment.' },
      { detail: `HTTP ${status}`, transient: true },
    );
  if (status !== PARTIAL && !(status === WHOLE && from === 0))
    throw damaged(who, 'cannot read this file where it was tried', `HTTP ${status} at ${from}`);
  if (body.byteLength > length) throw otherPiece(who);
  checkRange(who, answer.headers['content-range'], { from, got: body.byteLength, status });
  return body;
}

const otherPiece = (who: string) =>
  damaged(who, 'sends another piece of the file than it was asked for', 'more than the range');

function checkRange(
  who: string,
  header: string | undefined,
  { from, got, status }: { readonly from: number; readonly got: number; readonly status: number },
): void {
  if (status === WHOLE && header === undefined) return;
  const [, first = '', last = ''] = /^bytes (\d{1,15})-(\d{1,15})\//.exec(header ?? '') ?? [];
  if (first === '' || Number(first) !== from || Number(last) - from + 1 !== got)
    throw damaged(
      who,
      'sends fewer bytes than it promises',
      `${got} bytes, Content-Range ${header ?? 'none'}`,
    );
}

const damaged = (who: string, what: string, detail: string) =>
  new SlipstreamError('DAMAGED', { what: `${who} ${what}.`, next: 'Try another release.' }, { detail });
