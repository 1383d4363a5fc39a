import { deadlineSignal } from '../../io/wait.ts';
import type { Serving } from '../../model/index.ts';
import { declaredFileName } from '../../play-address/probe-result.ts';
import { type FailureKind, SourceFailure } from '../policy/failure.ts';
import { type ByteRange, parseContentRange, rangeLength } from '../range.ts';
import { registerCredentials } from './credentials.ts';
import { readErrorExcerpt } from './error-excerpt.ts';
import type { ConnectionPool } from './http1/connections.ts';
import type { ResponseBody, UpstreamResponse } from './http1/types.ts';
import type { SourceSpec } from './source-spec.ts';
import { type FinalResponse, type RequestTarget, rejectNotice, sendRequest } from './upstream.ts';
import { isSameVersion, type Validators, VersionChanged, validatorsOf } from './validators.ts';

export interface RangeRequest {
  readonly first: number;
  /** Inclusive; to the end of the file when absent. */
  readonly last?: number;
  /** What the file's size must be; absent while nobody knows. */
  readonly size?: number;
  /** Milliseconds until the head of the answer must be there. */
  readonly timeout: number;
  /** Ends the wait for the head; after that the body's `close` ends it. */
  readonly signal: AbortSignal;
}

/** An answered wish. */
export interface OpenedRange {
  /** Starts where the wish does; a server may end it earlier. */
  readonly range: ByteRange;
  /** The size of the whole file. */
  readonly size: number;
  /** Whether the server has shown that it serves parts: by 206, or by a Content-Range. */
  readonly partial: boolean;
  /** Milliseconds until the answer's head came. */
  readonly headMs: number;
  /** Where it comes from, after redirects; absent where nobody asks. */
  readonly from?: RequestTarget;
  /** The file's name as the answer tells it. */
  readonly declaredName?: string | undefined;
  /** The range, from its start; only who counts knows whether it came completely. */
  readonly body: ResponseBody;
}

/** Reads byte ranges from one upstream. */
export interface ByteSource {
  /** Host and port, for the log. */
  readonly host: string;
  /** How messages name its server; begins a sentence. */
  readonly label: string;
  /** How its server serves it; absent when nobody knows. */
  readonly serving?: Serving | undefined;
  /** Which version of the file it reads, as the first answer told. */
  readonly validators: Validators | undefined;
  /** One attempt. @throws SourceFailure; the signal's reason when it aborts. */
  open(wish: RangeRequest): Promise<OpenedRange>;
  /**
   * Finds the file again whose address has died, and reads on from where it is now; false: it is to be had nowhere. Absent
   * where nothing but the url is known of it. Rejects only with the signal's reason.
   */
  relocate?(signal: AbortSignal): Promise<boolean>;
}

/**
 * @param known The version that was read before; without it the first answer decides.
 * @param given An answer to "bytes=0-" of the url that has come already: the first wish for that is given it.
 */
export function openSource(
  spec: SourceSpec,
  connections: ConnectionPool,
  known?: Validators,
  given?: UpstreamResponse,
): ByteSource {
  registerCredentials(spec);
  return new HttpSource(spec, connections, known, given);
}

/** How messages name the server of a file; begins a sentence. */
export const serverLabel = ({ url, played }: SourceSpec): string =>
  played?.who ?? `The file server (${new URL(url).host})`;

class HttpSource implements ByteSource {
  readonly host: string;
  readonly label: string;
  readonly serving: Serving | undefined;
  validators: Validators | undefined;
  readonly #spec: SourceSpec;
  readonly #connections: ConnectionPool;
  /** Parts of the file have come. */
  #supportsRanges: boolean;
  #firstAnswer: UpstreamResponse | undefined;

  constructor(
    spec: SourceSpec,
    connections: ConnectionPool,
    known: Validators | undefined,
    given: UpstreamResponse | undefined,
  ) {
    this.host = new URL(spec.url).host;
    this.label = serverLabel(spec);
    this.serving = spec.serving;
    this.validators = known;
    this.#spec = spec;
    this.#connections = connections;
    // A version is known of what has been read before.
    this.#supportsRanges = known !== undefined;
    this.#firstAnswer = given;
  }

  async open(wish: RangeRequest): Promise<OpenedRange> {
    const asked = performance.now();
    const answer = this.#takeFirstAnswer(wish) ?? (await this.#ask(wish));
    try {
      const told = declaredFileName(answer.headers.get('content-disposition'));
      const came = { wish, told, givesParts: this.#supportsRanges };
      checkPlayOrigin(this.#spec, answer, came);
      if (explainsErrors(this.#spec, answer.status)) await checkErrorText(answer, wish.signal);
      const judged = checkAnswer(answer, came);
      this.#checkVersion(answer.headers);
      this.#supportsRanges ||= judged.partial;
      // What is read to the file's end is broken off by a seek, and its connection with it.
      if (wish.last === undefined) this.#connections.preconnect(new URL(this.#spec.url));
      return {
        ...judged,
        headMs: performance.now() - asked,
        body: answer.body,
        from: answer.from,
        declaredName: told,
      };
    } catch (error) {
      answer.body.close();
      throw error;
    }
  }

  #ask(wish: RangeRequest): Promise<FinalResponse> {
    const follow = (to: URL) => rejectNotice(to, this.#spec.elsewhere);
    return awaitHead(wish, (signal) =>
      sendRequest(this.#connections, this.#spec, rangeHeader(wish), signal, follow),
    );
  }

  #takeFirstAnswer(wish: RangeRequest): FinalResponse | undefined {
    const given = this.#firstAnswer;
    this.#firstAnswer = undefined;
    if (given === undefined || (wish.first === 0 && wish.last === undefined))
      return given && { ...given, from: this.#spec };
    given.body.close();
    return undefined;
  }

  #checkVersion(headers: UpstreamResponse['headers']): void {
    this.validators ??= validatorsOf(headers, Date.now());
    if (!isSameVersion(this.validators, headers)) throw new VersionChanged();
  }
}

/** Never a suffix (nzbdav answers with the wrong bytes, protocols.md §2.4): always from a known position. */
const rangeHeader = ({ first, last }: RangeRequest): string => `bytes=${first}-${last ?? ''}`;

async function awaitHead<Head>(
  wish: RangeRequest,
  ask: (signal: AbortSignal) => Promise<Head>,
): Promise<Head> {
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

type CheckedAnswer = Pick<OpenedRange, 'range' | 'size' | 'partial'>;

/** What an answer is held against. */
interface AnswerContext {
  readonly wish: RangeRequest;
  /** Parts of the file have come before. */
  readonly givesParts: boolean;
}

/**
 * Whether an answer is still that of the file which a service gave: behind one address it may put another release, or a
 * notice, at any time (protocols.md §8.6, §8.11). What of it a size and a version tell is looked at elsewhere.
 * @throws SourceFailure another
 */
function checkPlayOrigin(
  { url, played }: SourceSpec,
  { from, status }: FinalResponse,
  { wish, givesParts, told }: AnswerContext & { readonly told: string | undefined },
): void {
  if (played === undefined) return;
  const another = (detail: string) => new SourceFailure('another', detail);
  if (withoutQuery(from.url) !== withoutQuery(url)) throw another('led to another path');
  if (givesParts && status === 200 && wish.first !== 0)
    throw another('all of a file came, and a part was asked for');
  if (told !== undefined && played.told !== undefined && told !== played.told)
    throw another('the file has another name than before');
}

/** What services say of a file that they have given up, and what it is then: asking again brings nothing else. */
const FINAL_ERRORS: readonly (readonly [RegExp, FailureKind])[] = [
  // AIOStreams (protocols.md §8.6).
  [/currently unstreamable/i, 'another'],
  // AltMount, of a file that it has withdrawn; as a direct stream without a reason (protocols.md §2.10, §8.12).
  [/file unavailable due to missing articles/i, 'withdrawn'],
  [/failed to open file/i, 'gone'],
];

/** AltMount is read in windows. */
const explainsErrors = ({ played, serving }: SourceSpec, status: number): boolean =>
  (played !== undefined || serving?.windows === true) && (status === 404 || status >= 500);

/** @throws SourceFailure where the service says that the file is lost for good */
async function checkErrorText({ status, body }: FinalResponse, signal: AbortSignal): Promise<void> {
  const words = await readErrorExcerpt(body, signal);
  const [, kind] = FINAL_ERRORS.find(([pattern]) => pattern.test(words)) ?? [];
  if (kind !== undefined) throw new SourceFailure(kind, `HTTP ${status}: the service gives the file up`);
}

/** Without its query, in which a key or a signature may differ. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Checks the head of an answer against the wish; only what is consistent in every respect is let through. */
function checkAnswer(answer: UpstreamResponse, asked: AnswerContext): CheckedAnswer {
  const { wish } = asked;
  const encoding = answer.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new SourceFailure('wrong-answer', `encoded as ${encoding}`);
  const judged = answer.status === 206 ? checkPartial(answer, wish) : checkWhole(answer, asked);
  if (wish.size !== undefined && judged.size !== wish.size)
    throw new SourceFailure('changed', `size is ${judged.size} instead of ${wish.size}`);
  // More than was asked for is cut off.
  const last = Math.min(judged.range.last, wish.last ?? judged.range.last);
  return { ...judged, range: { first: judged.range.first, last } };
}

function checkPartial({ headers }: UpstreamResponse, wish: RangeRequest): CheckedAnswer {
  const header = headers.get('content-range');
  const range = parseContentRange(header);
  const size = range?.size ?? wish.size;
  if (range === undefined || size === undefined || range.first !== wish.first || range.last >= size)
    throw new SourceFailure('wrong-answer', `Content-Range "${header ?? ''}" for ${rangeHeader(wish)}`);
  const length = contentLength(headers);
  if (length !== undefined && length !== rangeLength(range))
    throw new SourceFailure('wrong-answer', `Content-Length ${length} with Content-Range "${header ?? ''}"`);
  return { range: { first: range.first, last: range.last }, size, partial: true };
}

/**
 * A 200 is right only from the start on; nzbdav sends one, with a Content-Range, for "bytes=0-". It must say by itself
 * how long the file is: a web page of unknown length must not pass for the film.
 */
function checkWhole(
  { status, headers }: UpstreamResponse,
  { wish, givesParts }: AnswerContext,
): CheckedAnswer {
  if (status !== 200) throw new SourceFailure(failureKindOf(status), `HTTP ${status}`);
  // Where parts have come before this is another page, as of a server that is starting.
  if (wish.first !== 0)
    throw new SourceFailure(givesParts ? 'wrong-answer' : 'no-ranges', 'a part was asked for, 200 came');
  const header = headers.get('content-range');
  const range = header === undefined ? undefined : parseContentRange(header);
  const length = contentLength(headers) ?? range?.size;
  if (length === undefined || length === 0)
    throw new SourceFailure('wrong-answer', length === 0 ? 'the file is empty' : 'no Content-Length');
  if (header !== undefined && (range?.first !== 0 || range.last !== length - 1 || range.size !== length))
    throw new SourceFailure('wrong-answer', `Content-Length ${length} with Content-Range "${header}"`);
  return { range: { first: 0, last: length - 1 }, size: length, partial: header !== undefined };
}

function failureKindOf(status: number): SourceFailure['kind'] {
  if (status === 401 || status === 403) return 'refused';
  if (status === 404 || status === 410) return 'missing';
  if (status >= 502 && status <= 504) return 'away';
  if (status === 408 || status === 429 || status >= 500) return 'unavailable';
  // Every range that is asked for lies inside of the file as it was.
  return status === 416 ? 'changed' : 'wrong-answer';
}

function contentLength(headers: UpstreamResponse['headers']): number | undefined {
  const text = headers.get('content-length');
  if (text === undefined) return undefined;
  const length = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(length)) throw new SourceFailure('wrong-answer', `Content-Length "${text}"`);
  return length;
}
