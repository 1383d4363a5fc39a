import { SlipstreamError } from '../errors/index.ts';
import { preferRedirectError } from '../io/cross-origin-redirect.ts';
import { fetchBounded } from '../io/http.ts';
import { type HttpResponse } from '../io/http-answer.ts';
import { pause } from '../io/wait.ts';

interface RangeOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As HttpRequest.who. */
  readonly who: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Bytes of the file, where they are known: AltMount withdraws a file of which a range behind its end was asked for. */
  readonly size?: number | undefined;
  /** Milliseconds until the second try; absent: 1000. */
  readonly retryDelay?: number;
}

interface ByteRange {
  readonly from: number;
  readonly length: number;
}

const RETRY_DELAY_MS = 1_000;
/** nzbdav answers whatever else goes wrong with 500, and most of that passes (protocols.md §2.5). */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([500, 507]);
/** nzbdav answers a range that covers the whole file with 200 (protocols.md §2.4). */
const STATUS_OK = 200;
const STATUS_PARTIAL = 206;

/** Bytes of a page that tells of an error. */
const MAX_ERROR_PAGE = 64 * 1024;

/**
 * Reads a piece of a file over HTTP; fewer bytes than asked for only at its end. As Backend.read.
 * @throws DAMAGED when the server refuses these bytes, sends others or fewer than it promises, or begins twice to send them
 *   and breaks off; AUTH_FAILED, SERVICE_ERROR, UNREACHABLE, TIMEOUT, which prove nothing
 */
export async function readFileRange(request: RangeOptions, asked: ByteRange): Promise<Uint8Array> {
  const { who, signal, size = Infinity, retryDelay: recovery = RETRY_DELAY_MS } = request;
  const { from } = asked;
  const range = { from, length: Math.max(1, Math.min(asked.length, size - from)) };
  const first = await requestRange(request, range);
  if (!(first instanceof TruncatedResponse) && isWithdrawn(first)) throw withdrawnError(who, first);
  if (!(first instanceof TruncatedResponse) && !RETRIED_STATUSES.has(first.status))
    return bodyOf(request, first, range);
  await pause(recovery, signal);
  const second = await requestRange(request, range);
  if (!(second instanceof TruncatedResponse) && isWithdrawn(second)) throw withdrawnError(who, second);
  if (!(second instanceof TruncatedResponse)) return bodyOf(request, second, range);
  // nzbdav's only word for a missing article (protocols.md §2.5); a server that restarts breaks off as well, but once.
  if (first instanceof TruncatedResponse && first.hasBegun && second.hasBegun)
    throw damaged(who, 'breaks off where it was tried', second.failure.message);
  throw second.failure;
}

/** AltMount gives no byte of a file any more that has lost too much (protocols.md §2.10). */
const isWithdrawn = (answer: HttpResponse) =>
  answer.status === 500 && answer.text().startsWith('Failed to open file');

const withdrawnError = (who: string, { status }: HttpResponse) =>
  damaged(who, 'no longer opens the file: too much of it is lost', `HTTP ${status}`);

/** The connection ended before the answer did. */
class TruncatedResponse {
  readonly failure: SlipstreamError;
  /** It had answered for the file; else it may have been away, as a container's port is whose server is restarting. */
  readonly hasBegun: boolean;
  constructor(failure: SlipstreamError, hasBegun: boolean) {
    this.failure = failure;
    this.hasBegun = hasBegun;
  }
}

const CONNECTION_RESET_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ERR_STREAM_PREMATURE_CLOSE',
  'EPIPE',
]);

const isConnectionReset = (error: unknown): error is SlipstreamError =>
  error instanceof SlipstreamError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  CONNECTION_RESET_CODES.has(String(error.cause.code));

async function requestRange(
  { url, headers, who, timeout, signal }: RangeOptions,
  { from, length }: ByteRange,
): Promise<HttpResponse | TruncatedResponse> {
  const range = `bytes=${from}-${from + length - 1}`;
  const maxBytes = Math.max(length + 1, MAX_ERROR_PAGE);
  let hasBegun = false;
  const onHead = (status: number) => {
    hasBegun = status === STATUS_PARTIAL || status === STATUS_OK;
  };
  try {
    const bounds = { timeout, signal, maxBytes };
    return await fetchBounded({ url, who, headers: { ...headers, range }, onHead, ...bounds });
  } catch (error) {
    signal.throwIfAborted();
    if (isConnectionReset(error)) return new TruncatedResponse(error, hasBegun);
    throw error instanceof SlipstreamError && error.code === 'TOO_LARGE' ? wrongRangeError(who) : error;
  }
}

/** By which a server, or a gateway before it, says that it is busy, restarting or in trouble, not that the file is bad. */
const isTransientStatus = (status: number) => status === 408 || status === 429 || status >= 500;

const busy = (who: string, status: number) =>
  new SlipstreamError(
    'SERVICE_ERROR',
    { what: `${who} cannot deliver the file just now.`, next: 'Try again in a moment.' },
    { detail: `HTTP ${status}`, transient: true },
  );

const refused = (who: string, status: number) =>
  new SlipstreamError(
    'AUTH_FAILED',
    {
      what: `${who} refused to deliver the file.`,
      next: 'Check the user and the password in the settings of Slipstream (Backends).',
    },
    { detail: `HTTP ${status}` },
  );

function bodyOf(request: RangeOptions, answer: HttpResponse, { from, length }: ByteRange): Uint8Array {
  const { who } = request;
  const { status, headers, body } = answer;
  if (status === 401 || status === 403) throw preferRedirectError(refused(who, status), request, answer);
  if (isTransientStatus(status)) throw busy(who, status);
  if (status !== STATUS_PARTIAL && !(status === STATUS_OK && from === 0))
    throw damaged(who, 'cannot read this file where it was tried', `HTTP ${status} at ${from}`);
  if (body.byteLength > length) throw wrongRangeError(who);
  checkRange(who, headers['content-range'], { from, got: body.byteLength, status });
  return body;
}

const wrongRangeError = (who: string) =>
  damaged(who, 'sends another piece of the file than it was asked for', 'more than the range');

function checkRange(
  who: string,
  header: string | undefined,
  { from, got, status }: { readonly from: number; readonly got: number; readonly status: number },
): void {
  if (status === STATUS_OK && header === undefined) return;
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
