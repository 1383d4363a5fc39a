import { SlipstreamError } from '../../errors/index.ts';
import { asHttpError } from '../../io/http-error.ts';
import { deadlineSignal } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { Opening } from '../../model/index.ts';
import { tooLate } from '../../play-address/failure.ts';
import { type Elsewhere, openListed, type Way } from '../../play-address/listed-at.ts';
import { followed } from '../../play-address/redirect.ts';
import { openFirst, type Turn } from '../../play-address/several.ts';
import { type AnswerHead, contentOf, type NoVideo, refusalIn, toldName } from '../../play-address/sight.ts';
import { whenReady } from '../../play-address/when-ready.ts';
import { SourceFailure } from '../policy/failure.ts';
import { registerCredentials } from './credentials.ts';
import { firstWords } from './first-words.ts';
import type { Connections } from './http1/connections.ts';
import type { Answer } from './http1/types.ts';
import type { SourceSpec } from './source-spec.ts';
import { type LedAnswer, request, type Target } from './upstream.ts';

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
  readonly answer?: Answer;
}

/** Milliseconds. */
const TIMES = { silence: 30_000, again: 1_000, longestRest: 15_000 };
/** What is wrong all the time is told before the wait is over. */
const PART_OF_WAIT = 0.5;

/**
 * Opens an address that a service gave to be played, as soon as it is ready (protocols.md §8.3), by one GET,
 * which goes on as the stream. Where the server is read in windows, the first byte is asked for to learn the size.
 * @throws as whenReady; UNREACHABLE, BAD_ANSWER; JOB_TIMEOUT after `opening.wait`
 */
export async function openPlayAddress(
  connections: Connections,
  address: PlayAddress,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<OpenedAddress> {
  const { who, wait, others = [], listedAt } = address.opening;
  const limit = deadlineSignal(signal, wait, () => tooLate(who, wait));
  const open = (turn: Turn) =>
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

interface Attempt {
  readonly turn: Turn;
  readonly way: Way;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

async function openAt(
  connections: Connections,
  { opening, serving, headers }: PlayAddress,
  { turn, way: { url, isFinal, elsewhere }, signal, log }: Attempt,
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
      return look(connections, target, { who: opening.who, range, elsewhere, onLed, signal });
    },
    {
      ...{ who: opening.who, signal, log, again, longestRest, blocks: turn.isPatient },
      silence: turn.isPatient ? Math.min(silence, PART_OF_WAIT * opening.wait) : 0,
      ...(opening.most !== undefined && { most: opening.most }),
      ...(opening.usenet === true && { usenet: true }),
      url,
      isLed: () => askedAt.origin !== new URL(url).origin,
      isFinal: (error) =>
        !(error instanceof SlipstreamError) ||
        !error.transient ||
        isFinal?.(error) === true ||
        turn.isFinal?.(error) === true,
    },
  );
  const { answer, size, name } = video;
  const told = toldName(answer.headers.get('content-disposition'));
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

interface Video {
  readonly kind: 'video';
  readonly size: number;
  readonly name?: string;
  readonly answer: LedAnswer;
}

interface Asking {
  readonly who: string;
  readonly range: string;
  readonly elsewhere: Elsewhere | undefined;
  /** A redirect is followed. */
  readonly onLed: (to: URL) => void;
  readonly signal: AbortSignal;
}

/** One GET. What is no video is closed. */
async function look(connections: Connections, target: Target, asking: Asking): Promise<Video | NoVideo> {
  const { signal } = asking;
  const answer = await ask(connections, target, asking);
  if ('kind' in answer) return answer;
  const head: AnswerHead = {
    url: new URL(answer.from.url),
    status: answer.status,
    header: (name) => answer.headers.get(name),
  };
  const isGood = head.status === 200 || head.status === 206;
  const words = isGood ? '' : await firstWords(answer.body, signal);
  const sight = refusalIn(head, words) ?? contentOf(head, NOTHING);
  if (sight.kind === 'video') return { ...sight, answer };
  answer.body.close();
  return sight;
}

/** What a redirect leads to that is no file. */
class LedToNotice extends Error {
  readonly sight: NoVideo;

  constructor(sight: NoVideo) {
    super('a notice');
    this.sight = sight;
  }
}

async function ask(
  connections: Connections,
  target: Target,
  { who, range, elsewhere, onLed, signal }: Asking,
): Promise<LedAnswer | NoVideo> {
  const follow = (to: URL) => {
    const next = followed(to, elsewhere);
    if (!(next instanceof URL)) throw new LedToNotice(next);
    onLed(next);
    return next;
  };
  try {
    return await request(connections, target, range, signal, follow);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof LedToNotice) return error.sight;
    if (error instanceof SourceFailure && error.kind === 'wrong-answer')
      return { kind: 'astray', detail: error.message };
    const cause = error instanceof SourceFailure ? (error.cause ?? CLOSED) : error;
    throw asHttpError(cause, who, new URL(target.url));
  }
}

/** Its server ended the connection before an answer came. */
const CLOSED = Object.assign(new Error('the connection ended'), { code: 'ECONNRESET' });

const NOTHING = new Uint8Array();
