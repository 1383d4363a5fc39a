import { type ErrorCode, type Explanation, SlipstreamError } from '../errors/index.ts';
import { quotedSuffix } from '../io/external-text.ts';
import { badAnswer } from '../io/http-error.ts';
import type { NonVideo } from './probe-result.ts';

const TRY_ANOTHER = 'Try another release.';

/** Something else is at the address: it may be the wrong one. */
export class OtherContent extends SlipstreamError {
  constructor(who: string, what: string) {
    const explanation = { what: `${who} gives ${what} where the film belongs.`, next: TRY_ANOTHER };
    super('JOB_FAILED', explanation, { detail: what });
  }
}

/** Why a stream cannot be played. */
export function streamFailure(sight: NonVideo, who: string): SlipstreamError {
  switch (sight.kind) {
    case 'notice':
      return noticeFailure(sight, who);
    case 'broken':
      return jobFailedError(
        `${who} could not open the stream${quotedSuffix(sight.words)}.`,
        `HTTP ${sight.status}: ${sight.words}`,
      );
    case 'astray':
      return badAnswer(who, sight.detail);
    case 'other':
      return new OtherContent(who, sight.what);
    case 'denied':
      return failureWith('AUTH_FAILED', `HTTP ${sight.status}`, {
        what: `${who} refused to open its own stream.`,
        next: 'Check its address and its key in the settings of Slipstream (Connection, Backends).',
      });
    case 'absent':
      return failureWith('BAD_ANSWER', `HTTP ${sight.status}: ${sight.words}`, {
        what: `${who} named a stream that is not there.`,
        next: 'Try another release; if none is there, check its address in the settings of Slipstream (Connection, Backends).',
      });
    case 'later':
      if (sight.status === 429) return failureWith('RATE_LIMITED', 'HTTP 429', limitExplanation(who));
      return new SlipstreamError(
        'SERVICE_ERROR',
        { what: `${who} is out of order at the moment.`, next: 'Try again in a moment.' },
        { detail: `HTTP ${sight.status}`, transient: true },
      );
  }
}

/** AIOStreams' videos that tell of a failure, by their names (protocols.md §8.7). */
function noticeFailure({ clip, words }: Extract<NonVideo, { kind: 'notice' }>, who: string): SlipstreamError {
  const detail = `a notice video (${clip})${quotedSuffix(words)}`;
  const account: Explanation = {
    what: `The account of ${who} does not allow it to stream.`,
    next: `Check its account and its services at the page of ${who}.`,
  };
  switch (clip) {
    case 'no_matching_file':
      return failureWith('NO_VIDEO', detail, {
        what: `${who} finds no such episode in this release.`,
        next: TRY_ANOTHER,
      });
    case '401':
    case '403':
    case 'payment_required':
      return failureWith('AUTH_FAILED', detail, account);
    case '429':
    case 'store_limit_exceeded':
    case 'content_proxy_limit_reached':
      return failureWith('RATE_LIMITED', detail, limitExplanation(who));
    case 'download_failed':
      return jobFailedError(
        `${who} could not get the release: parts of it are lost, or its provider is away.`,
        detail,
      );
    case 'unavailable_for_legal_reasons':
      return jobFailedError(`${who} may not give this release.`, detail);
    default:
      return jobFailedError(
        `${who} shows a notice instead of the film: it could not get it ready${quotedSuffix(words)}.`,
        detail,
      );
  }
}

/** @param wait Milliseconds. */
export const notReadyError = (who: string, wait: number): SlipstreamError =>
  failureWith('JOB_TIMEOUT', 'not ready in time', {
    what: `${who} did not get the stream ready within ${Math.ceil(wait / 1000)} seconds.`,
    next: 'Try another release, or allow more time in the settings of Slipstream (Playback).',
  });

const limitExplanation = (who: string): Explanation => ({
  what: `${who} has used up a limit of its service.`,
  next: 'Try again later, or play a release from another source.',
});

const failureWith = (code: ErrorCode, detail: string, words: Explanation) =>
  new SlipstreamError(code, words, { detail });

const jobFailedError = (what: string, detail: string) =>
  failureWith('JOB_FAILED', detail, { what, next: TRY_ANOTHER });
