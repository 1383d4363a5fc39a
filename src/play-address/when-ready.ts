import { probeMatches } from '../diagnosis/index.ts';
import { asSlipstreamError, type Explanation, SlipstreamError } from '../errors/index.ts';
import { pause } from '../io/wait.ts';
import type { Logger } from '../log/index.ts';
import type { DirectService } from '../model/index.ts';
import type { NonVideo } from './probe-result.ts';
import { streamFailure } from './stream-failure.ts';

export interface ReadyOptions {
  /** As messages name whoever gave the address. */
  readonly who: string;
  /** What is opened. */
  readonly url: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Milliseconds for which it may give no good answer. */
  readonly maxSilence: number;
  /** Milliseconds between two requests, where the service does not say. */
  readonly retryInterval: number;
  /** Retry-After is heeded up to this, in milliseconds: the person waits. */
  readonly maxRetryAfter: number;
  /** Each request may be answered only when the stream is ready: who lets us wait is at work. */
  readonly canBlock: boolean;
  /** Requests at the most; absent: as many as the time allows. Some services fetch the NZB anew with each of them. */
  readonly maxRequests?: number;
  /** It reads usenet itself, through a provider that is set up there. */
  readonly usenet?: true;
  /** Whether the last request was led to another origin: another service may be there. */
  readonly isRedirected: () => boolean;
  /** Whether asking again would bring the same failure. */
  readonly isFinal: (error: unknown) => boolean;
}

/** AltMount's add-on fetches the NZB at the indexer anew with each request (protocols.md §8.12). */
const ALTMOUNT_MAX_REQUESTS = 2;

/** The ways of a service that has listed a link. */
export const readyHintsOf = (
  service: DirectService | undefined,
): Pick<ReadyOptions, 'maxRequests' | 'usenet'> => ({
  ...(service === 'altmount' && { maxRequests: ALTMOUNT_MAX_REQUESTS }),
  ...((service === 'altmount' || service === 'streamnzb') && { usenet: true }),
});

/** Connections broken off in a row, after which it is asked whether the service answers otherwise. */
const MAX_RESETS = 3;
/** Milliseconds for that answer. */
const PROBE_TIMEOUT = 3_000;

/**
 * Opens a stream as soon as it is ready: what is not ready says when to ask again. Ends only with the signal, with a
 * failure, or when there was no good answer for too long.
 * @param look One request.
 * @throws as `failureOf`, and what `look` rejects with
 */
export async function whenReady<Video extends { readonly kind: 'video' }>(
  look: () => Promise<Video | NonVideo>,
  patience: ReadyOptions,
): Promise<Video> {
  const {
    who,
    signal,
    log,
    maxSilence: silence,
    retryInterval: again,
    maxRetryAfter: longestRest,
    canBlock: blocks,
    maxRequests: most = Infinity,
  } = patience;
  let lastGood = performance.now();
  let resets = 0;
  for (let requests = 1; ; requests++) {
    const asked = performance.now();
    const sight = await look().catch((error: unknown) => {
      signal.throwIfAborted();
      if (patience.isFinal(error)) throw error;
      return { kind: 'fault', error: asSlipstreamError(error) } as const;
    });
    if (isVideo(sight)) return sight;
    if (sight.kind !== 'later' && sight.kind !== 'fault') throw streamFailure(sight, who);
    const failure = sight.kind === 'fault' ? sight.error : streamFailure(sight, who);
    resets = isReset(failure) ? resets + 1 : 0;
    // One that was being restarted does not answer, or does not break off the next play.
    if (resets === MAX_RESETS && !(await answersAt(new URL(patience.url).origin, signal))) resets = 0;
    if (resets > MAX_RESETS) throw breaksOff(patience, failure);
    const after = sight.kind === 'later' ? sight.after : undefined;
    const now = performance.now();
    // Whoever has let us wait for so long was at work, though a gateway or a restart has broken it off.
    const wasAtWork = blocks && failure.code !== 'TIMEOUT' && now - asked > silence;
    if (after !== undefined || wasAtWork) lastGood = now;
    if (requests >= most || now - lastGood > silence) throw failure;
    log.debug(`${who}: the stream is opened again: ${failure.message}`);
    await pause(Math.min(after ?? again, longestRest), signal);
  }
}

const isVideo = <Video extends { readonly kind: 'video' }>(
  sight: Video | NonVideo | { readonly kind: 'fault'; readonly error: SlipstreamError },
): sight is Video => sight.kind === 'video';

const isReset = ({ cause }: SlipstreamError) =>
  cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET';

const answersAt = (origin: string, signal: AbortSignal) =>
  probeMatches({ url: `${origin}/`, signal, timeout: PROBE_TIMEOUT }, ({ status }) => status < 500);

/** So does StreamNZB without a provider that lets it in (protocols.md §8.11); what ails any other, nobody knows. */
const breaksOff = ({ who, usenet, isRedirected: isLed }: ReadyOptions, cause: SlipstreamError) =>
  new SlipstreamError('SERVICE_ERROR', usenet === true ? withoutProvider(who) : withoutReason(who), {
    cause,
    failsAll: !isLed(),
  });

const withoutProvider = (who: string): Explanation => ({
  what: `${who} takes the order and breaks off each play: no usenet provider works there.`,
  next: `Check the usenet provider, its user and its password in the settings of ${who}.`,
});

const withoutReason = (who: string): Explanation => ({
  what: `${who} answers, and breaks off this play before it begins.`,
  next: `Try another release; where that is broken off as well, look into the log of ${who}.`,
});
