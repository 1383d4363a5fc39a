import { SlipstreamError } from '../errors/index.ts';
import { fetchBounded } from '../io/http.ts';
import { type HttpAnswer } from '../io/http-answer.ts';
import { unlessMoved } from '../io/moved.ts';
import { pause } from '../io/wait.ts';

interface RangeRequest {
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
  readonly recovery?: number;
}

interface ByteRange {
  readonly from: number;
  readonly length: number;
}

const RECOVERY = 1_000;
/** nzbdav answers whatever else goes wrong with 500, and most of that passes (protocols.md §2.5). */
const ASKED_AGAIN: ReadonlySet<number> = new Set([500, 507]);
/** nzbdav answers a range that covers the whole file with 200 (protocols.md §2.4). */
const WHOLE = 200;
const PARTIAL = 206;

/** Bytes of a page that tells of an error. */
const ERROR_PAGE = 64 * 1024;

/**
 * Reads a piece of a file over HTTP; fewer bytes than asked for only at its end. As Backend.read.
 * @throws DAMAGED when the server refuses these bytes, sends others or fewer than it promises, or begins twice to send them
 *   and breaks off; AUTH_FAILED, SERVICE_ERROR, UNREACHABLE, TIMEOUT, which prove nothing
 */
export async function readRange(request: RangeRequest, asked: ByteRange): Promise<Uint8Array> {
  const { who, signal, size = Infinity, recovery = RECOVERY } = request;
  const { from } = asked;
  const range = { from, length: Math.max(1, Math.min(asked.length, size - from)) };
  const first = await ask(request, range);
  if (!(first instanceof BrokenOff) && isWithdrawn(first)) throw withdrawn(who, first);
  if (!(first instanceof BrokenOff) && !ASKED_AGAIN.has(first.status)) return pieceOf(request, first, range);
  await pause(recovery, signal);
  const second = await ask(request, range);
  if (!(second instanceof BrokenOff) && isWithdrawn(second)) throw withdrawn(who, second);
  if (!(second instanceof BrokenOff)) return pieceOf(request, second, range);
  // nzbdav's only word for a missing article (protocols.md §2.5); a server that restarts breaks off as well, but once.
  if (first instanceof BrokenOff && first.hasBegun && second.hasBegun)
    throw damaged(who, 'breaks off where it was tried', second.failure.message);
  throw second.failure;
}

/** AltMount gives no byte of a file any more that has lost too much (protocols.md §2.10). */
const isWithdrawn = (answer: HttpAnswer) =>
  answer.status === 500 && answer.text().startsWith('Failed to open file');

const withdrawn = (who: string, { status }: HttpAnswer) =>
  damaged(who, 'no longer opens the file: too much of it is lost', `HTTP ${status}`);

/** The connection ended before the answer did. */
class BrokenOff {
  readonly failure: SlipstreamError;
  /** It had answered for the file; else it may have been away, as a container's port is whose server is restarting. */
  readonly hasBegun: boolean;
  constructor(failure: SlipstreamError, hasBegun: boolean) {
    this.failure = failure;
    this.hasBegun = hasBegun;
  }
}

const BREAKS: ReadonlySet<string> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE']);

const isBreak = (error: unknown): error is SlipstreamError =>
  error instanceof SlipstreamError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  BREAKS.has(String(error.cause.code));

async function ask(
  { url, headers, who, timeout, signal }: RangeRequest,
  { from, length }: ByteRange,
): Promise<HttpAnswer | BrokenOff> {
  const range = `bytes=${from}-${from + length - 1}`;
  const maxBytes = Math.max(length + 1, ERROR_PAGE);
  let hasBegun = false;
  const onHead = (status: number) => {
    hasBegun = status === PARTIAL || status === WHOLE;
  };
  try {
    const bounds = { timeout, signal, maxBytes };
    return await fetchBounded({ url, who, headers: { ...headers, range }, onHead, ...bounds });
  } catch (error) {
    signal.throwIfAborted();
    if (isBreak(error)) return new BrokenOff(error, hasBegun);
    throw error instanceof SlipstreamError && error.code === 'TOO_LARGE' ? otherPiece(who) : error;
  }
}

/** By which a server, or a gateway before it, says that it is busy, restarting or in trouble, not that the file is bad. */
const isPassing = (status: number) => status === 408 || status === 429 || status >= 500;

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

function pieceOf(request: RangeRequest, answer: HttpAnswer, { from, length }: ByteRange): Uint8Array {
  const { who } = request;
  const { status, headers, body } = answer;
  if (status === 401 || status === 403) throw unlessMoved(refused(who, status), request, answer);
  if (isPassing(status)) throw busy(who, status);
  if (status !== PARTIAL && !(status === WHOLE && from === 0))
    throw damaged(who, 'cannot read this file where it was tried', `HTTP ${status} at ${from}`);
  if (body.byteLength > length) throw otherPiece(who);
  checkRange(who, headers['content-range'], { from, got: body.byteLength, status });
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
