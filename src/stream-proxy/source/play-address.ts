import { SlipstreamError } from '../../errors/index.ts';
import { asHttpError } from '../../io/http-error.ts';
import { deadlineSignal } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { Opening } from '../../model/index.ts';
import { type AddressAttempt, openFirst } from '../../play-address/open-first.ts';
import { type AddressVariant, type OriginOverride, openListed } from '../../play-address/open-listed.ts';
import {
  classifyContent,
  declaredFileName,
  type NonVideo,
  nonVideoInHead,
  type ResponseHead,
} from '../../play-address/probe-result.ts';
import { resolveRedirect } from '../../play-address/redirect.ts';
import { notReadyError } from '../../play-address/stream-failure.ts';
import { whenReady } from '../../play-address/when-ready.ts';
import { SourceFailure } from '../policy/failure.ts';
import { registerCredentials } from './credentials.ts';
import { readErrorExcerpt } from './error-excerpt.ts';
import type { ConnectionPool } from './http1/connections.ts';
import type { UpstreamResponse } from './http1/types.ts';
import type { SourceSpec } from './source-spec.ts';
import { type FinalResponse, type RequestTarget, sendRequest } from './upstream.ts';

export interface PlayAddress extends SourceSpec {
  readonly opening: Opening;
}

/** A play address that has been opened. */
export interface OpenedAddress {
  /** Where it has led to. */
  readonly spec: SourceSpec;
  /** Bytes of the file. */
  readonly size: number;
  /** The video's name, where the answer or its address tells it. */
  readonly name?: string;
  /** All of the file from its start on, as it comes; absent: it is to be asked for. To be closed. */
  readonly answer?: UpstreamResponse;
}

/** Milliseconds. */
const TIMES = { silence: 30_000, again: 1_000, longestRest: 15_000 };
/** What is wrong all the time is told before the wait is over. */
const SILENCE_SHARE = 0.5;

/**
 * Opens an address that a service gave to be played, as soon as it is ready (protocols.md §8.3), by one GET,
 * which goes on as the stream. Where the server is read in windows, the first byte is asked for to learn the size.
 * @throws as whenReady; UNREACHABLE, BAD_ANSWER; JOB_TIMEOUT after `opening.wait`
 */
export async function openPlayAddress(
  connections: ConnectionPool,
  address: PlayAddress,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<OpenedAddress> {
  const { who, wait, others = [], listedAt } = address.opening;
  const limit = deadlineSignal(signal, wait, () => notReadyError(who, wait));
  const open = (turn: AddressAttempt) =>
    openListed({ who, url: turn.url, listedAt }, (way) =>
      openAt(connections, address, { way, turn, signal: limit.signal, log }),
    );
  try {
    return await openFirst([address.url, ...others], open, (error) => {
      log.info(`${who}: another address of the stream is tried: ${error.message}`);
    });
  } catch (error) {
    limit.signal.throwIfAborted();
    throw error;
  } finally {
    limit.done();
  }
}

interface OpenAttempt {
  readonly turn: AddressAttempt;
  readonly way: AddressVariant;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

async function openAt(
  connections: ConnectionPool,
  { opening, serving, headers }: PlayAddress,
  { turn, way: { url, isFinal, elsewhere }, signal, log }: OpenAttempt,
): Promise<OpenedAddress> {
  const target = { url, headers };
  registerCredentials(target);
  const { silence, again, longestRest } = TIMES;
  const range = serving?.windows === true ? 'bytes=0-0' : 'bytes=0-';
  let askedAt = new URL(url);
  const onLed = (to: URL) => {
    askedAt = to;
  };
  const video = await whenReady(
    () => {
      askedAt = new URL(url);
      return probeAddress(connections, target, {
        who: opening.who,
        range,
        elsewhere,
        onRedirect: onLed,
        signal,
      });
    },
    {
      who: opening.who,
      signal,
      log,
      retryInterval: again,
      maxRetryAfter: longestRest,
      canBlock: turn.isPatient,
      maxSilence: turn.isPatient ? Math.min(silence, SILENCE_SHARE * opening.wait) : 0,
      ...(opening.most !== undefined && { maxRequests: opening.most }),
      ...(opening.usenet === true && { usenet: true }),
      url,
      isRedirected: () => askedAt.origin !== new URL(url).origin,
      isFinal: (error) =>
        !(error instanceof SlipstreamError) ||
        !error.transient ||
        isFinal?.(error) === true ||
        turn.isFinal?.(error) === true,
    },
  );
  const { answer, size, name } = video;
  const told = declaredFileName(answer.headers.get('content-disposition'));
  if (serving?.windows === true) answer.body.close();
  return {
    spec: {
      ...answer.from,
      ...(serving !== undefined && { serving }),
      played: {
        ...target,
        who: opening.who,
        ...(told !== undefined && { told }),
        ...(elsewhere !== undefined && { elsewhere }),
      },
    },
    size,
    ...(name !== undefined && { name }),
    ...(serving?.windows !== true && { answer }),
  };
}

interface FoundVideo {
  readonly kind: 'video';
  readonly size: number;
  readonly name?: string;
  readonly answer: FinalResponse;
}

interface RequestOptions {
  readonly who: string;
  readonly range: string;
  readonly elsewhere: OriginOverride | undefined;
  /** A redirect is followed. */
  readonly onRedirect: (to: URL) => void;
  readonly signal: AbortSignal;
}

/** One GET. What is no video is closed. */
async function probeAddress(
  connections: ConnectionPool,
  target: RequestTarget,
  asking: RequestOptions,
): Promise<FoundVideo | NonVideo> {
  const { signal } = asking;
  const answer = await sendGet(connections, target, asking);
  if ('kind' in answer) return answer;
  const head: ResponseHead = {
    url: new URL(answer.from.url),
    status: answer.status,
    header: (name) => answer.headers.get(name),
  };
  const isGood = head.status === 200 || head.status === 206;
  const words = isGood ? '' : await readErrorExcerpt(answer.body, signal);
  const sight = nonVideoInHead(head, words) ?? classifyContent(head, NOTHING);
  if (sight.kind === 'video') return { ...sight, answer };
  answer.body.close();
  return sight;
}

/** What a redirect leads to that is no file. */
class RedirectedToNotice extends Error {
  readonly result: NonVideo;

  constructor(sight: NonVideo) {
    super('a notice');
    this.result = sight;
  }
}

async function sendGet(
  connections: ConnectionPool,
  target: RequestTarget,
  { who, range, elsewhere, onRedirect: onLed, signal }: RequestOptions,
): Promise<FinalResponse | NonVideo> {
  const follow = (to: URL) => {
    const next = resolveRedirect(to, elsewhere);
    if (!(next instanceof URL)) throw new RedirectedToNotice(next);
    onLed(next);
    return next;
  };
  try {
    return await sendRequest(connections, target, range, signal, follow);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RedirectedToNotice) return error.result;
    if (error instanceof SourceFailure && error.kind === 'wrong-answer')
      return { kind: 'astray', detail: error.message };
    const cause = error instanceof SourceFailure ? (error.cause ?? CLOSED) : error;
    throw asHttpError(cause, who, new URL(target.url));
  }
}

/** Its server ended the connection before an answer came. */
const CLOSED = Object.assign(new Error('the connection ended'), { code: 'ECONNRESET' });

const NOTHING = new Uint8Array();
