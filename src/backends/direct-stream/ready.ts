import { asSlipstreamError, type Explanation, SlipstreamError } from '../../errors/index.ts';
import { badAnswer } from '../../io/http.ts';
import { pause } from '../../io/wait.ts';
import { type Logger, registerSecret } from '../../log/index.ts';
import { quoted } from '../their-words.ts';
import { lookAt, type OpenStream, type Sight, type StreamRequest } from './look.ts';
import { isFinal } from './replies.ts';
import type { Times } from './times.ts';

interface Patience {
  readonly times: Times;
  readonly log: Logger;
  /** Milliseconds for which it may give no good answer. */
  readonly silence: number;
  /** As StreamRequest.blocks. */
  readonly blocks?: boolean;
}

/**
 * Opens a stream as soon as it is ready: what is not ready says when to ask again. Ends only with the signal, with a
 * failure, or when there was no good answer for too long. The log knows the addresses from now on.
 * @throws as `failureOf`; UNREACHABLE, TIMEOUT, BAD_ANSWER
 */
export async function openWhenReady(
  request: Omit<StreamRequest, 'timeout' | 'blocks'>,
  { times, log, silence, blocks = false }: Patience,
): Promise<OpenStream> {
  const { who, signal } = request;
  registerSecret(request.url);
  let lastGood = performance.now();
  for (;;) {
    const asked = performance.now();
    const sight = await lookAt({ ...request, timeout: times.open, blocks }).catch((error: unknown) => {
      signal.throwIfAborted();
      if (isFinal(error)) throw error;
      return { kind: 'fault', error: asSlipstreamError(error) } as const;
    });
    if (sight.kind === 'video') {
      registerSecret(sight.url);
      return sight;
    }
    if (sight.kind !== 'later' && sight.kind !== 'fault') throw failureOf(sight, who);
    const failure = sight.kind === 'fault' ? sight.error : failureOf(sight, who);
    const after = sight.kind === 'later' ? sight.after : undefined;
    const now = performance.now();
    // Whoever has let us wait for so long was at work, though a gateway or a restart has broken it off.
    const wasAtWork = blocks && failure.code !== 'TIMEOUT' && now - asked > times.silence;
    if (after !== undefined || wasAtWork) lastGood = now;
    else if (now - lastGood > silence) throw failure;
    log.debug(`${who}: the stream is opened again: ${failure.message}`);
    await pause(Math.min(after ?? times.again, times.longestRest), signal);
  }
}

const NEXT = 'Try another release.';

/** Something else is at the address: it may be the wrong one. */
export class OtherContent extends SlipstreamError {
  constructor(who: string, what: string) {
    const explanation = { what: `${who} gives ${what} where the film belongs.`, next: NEXT };
    super('JOB_FAILED', explanation, { detail: what });
  }
}

/** Why a stream cannot be played. */
function failureOf(sight: Exclude<Sight, OpenStream>, who: string): SlipstreamError {
  switch (sight.kind) {
    case 'notice':
      return failed(
        `${who} shows a notice instead of the film: it could not get it ready${quoted(sight.words)}.`,
        `a notice video${quoted(sight.words)}`,
      );
    case 'broken':
      return failed(
        `${who} could not open the stream${quoted(sight.words)}.`,
        `HTTP ${sight.status}: ${sight.words}`,
      );
    case 'astray':
      return badAnswer(who, sight.detail);
    case 'other':
      return new OtherContent(who, sight.what);
    case 'denied':
      return error('AUTH_FAILED', `HTTP ${sight.status}`, {
        what: `${who} refused to open its own stream.`,
        next: 'Check its address and its key in the settings of Slipstream.',
      });
    case 'absent':
      return error('BAD_ANSWER', `HTTP ${sight.status}: ${sight.words}`, {
        what: `${who} named a stream that is not there.`,
        next: 'Try another release; if none is there, check its address in the settings.',
      });
    case 'later':
      return new SlipstreamError(
        'SERVICE_ERROR',
        { what: `${who} is out of order at the moment.`, next: 'Try again in a moment.' },
        { detail: `HTTP ${sight.status}`, transient: true },
      );
  }
}

const error = (code: 'AUTH_FAILED' | 'BAD_ANSWER' | 'JOB_FAILED', detail: string, words: Explanation) =>
  new SlipstreamError(code, words, { detail });

const failed = (what: string, detail: string) => error('JOB_FAILED', detail, { what, next: NEXT });
