import { SlipstreamError } from '../../errors/index.ts';
import { asHttpError, badAnswer } from '../../io/http-error.ts';
import { deadlineSignal } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { Opening } from '../../model/index.ts';
import { type Elsewhere, openListed, type Way } from '../../play-address/listed-at.ts';
import { followed } from '../../play-address/redirect.ts';
import { type AnswerHead, contentOf, type NoVideo, refusalIn, toldName } from '../../play-address/sight.ts';
import { whenReady } from '../../play-address/when-ready.ts';
import { SourceFailure } from '../policy/failure.ts';
import { registerCredentials } from './credentials.ts';
import { firstWords } from './first-words.ts';
import type { Connections } from './http1/connections.ts';
import type { Answer } from './http1/types.ts';
import type { SourceSpec } from './source.ts';
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
 * Opens an address that a service gave to be played, as soon as it is ready (protocols.md §8.3, contract B), by one GET,
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
  try {
    const places = [address.url, ...others];
    for (const [index, url] of places.entries()) {
      const isLast = index === places.length - 1;
      try {
        return await openListed({ who, url, listedAt }, (way) =>
          openAt(connections, address, { way, signal: limit.signal, log, isLast }),
        );
      } catch (error) {
        limit.signal.throwIfAborted();
        if (isLast || !isUnreachable(error)) throw error;
        log.info(`${who}: another address of the stream is tried: ${error.message}`);
      }
    }
    throw badAnswer(who, 'no address');
  } finally {
    limit.done();
  }
}

interface Attempt {
  readonly way: Way;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** There is no other address to try. */
  readonly isLast: boolean;
}

async function openAt(
  connections: Connections,
  { opening, serving, headers }: PlayAddress,
  { way: { url, isFinal, elsewhere }, signal, log, isLast }: Attempt,
): Promise<OpenedAddress> {
  const target = { url, headers };
  registerCredentials(target);
  const { silence, again, longestRest } = TIMES;
  const range = serving?.windows === true ? 'bytes=0-0' : 'bytes=0-';
  const video = await whenReady(
    () => look(connections, target, { who: opening.who, range, elsewhere, signal }),
    {
      ...{ who: opening.who, signal, log, again, longestRest, blocks: true },
      silence: isLast ? Math.min(silence, PART_OF_WAIT * opening.wait) : 0,
      ...(opening.most !== undefined && { most: opening.most }),
      url,
      isFinal: (error) =>
        !(error instanceof SlipstreamError) || !error.transient || isFinal?.(error) === true,
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
  { who, range, elsewhere, signal }: Asking,
): Promise<LedAnswer | NoVideo> {
  const follow = (to: URL) => {
    const next = followed(to, elsewhere);
    if (next instanceof URL) return next;
    throw new LedToNotice(next);
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

const isUnreachable = (error: unknown): error is SlipstreamError =>
  error instanceof SlipstreamError && error.code === 'UNREACHABLE';

const tooLate = (who: string, wait: number) =>
  new SlipstreamError('JOB_TIMEOUT', {
    what: `${who} did not get the stream ready within ${Math.ceil(wait / 1000)} seconds.`,
    next: 'Try another release, or allow more time in the settings under Playback.',
  });
