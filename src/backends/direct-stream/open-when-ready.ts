import { type Logger, registerSecret } from '../../log/index.ts';
import type { DirectService } from '../../model/index.ts';
import type { AddressVariant } from '../../play-address/open-listed.ts';
import { readyHintsOf, whenReady } from '../../play-address/when-ready.ts';
import { probeStream, type StreamRequest, type VideoStream } from './probe-stream.ts';
import { isFinalFailure } from './replies.ts';
import type { DirectStreamTimings } from './timings.ts';

interface OpenOptions {
  readonly times: DirectStreamTimings;
  readonly log: Logger;
  /** Milliseconds for which it may give no good answer. */
  readonly maxSilence: number;
  /** As StreamRequest.blocks. */
  readonly blocks?: boolean;
  /** Absent: one whose ways nobody knows. */
  readonly service?: DirectService | undefined;
  /** As Patience.usenet of whenReady, where the service is the person's backend. */
  readonly usenet?: true;
  /** As Way.isFinal. */
  readonly isFinal?: AddressVariant['isFinal'];
}

/**
 * Opens a stream as soon as it is ready. The log knows the addresses from now on.
 * @throws as whenReady; UNREACHABLE, TIMEOUT, BAD_ANSWER
 */
export async function openWhenReady(
  request: Omit<StreamRequest, 'timeout' | 'blocks' | 'onRedirect'>,
  { times, log, maxSilence: silence, blocks = false, service, usenet, isFinal: isFinalHere }: OpenOptions,
): Promise<VideoStream> {
  const { who, signal } = request;
  registerSecret(request.url);
  const { open: timeout, retryInterval: again, maxRetryAfter: longestRest } = times;
  let askedAt = new URL(request.url);
  const onLed = (to: URL) => {
    askedAt = to;
  };
  const look = () => {
    askedAt = new URL(request.url);
    return probeStream({ ...request, timeout, blocks, onRedirect: onLed });
  };
  const open = await whenReady<VideoStream>(look, {
    who,
    url: request.url,
    signal,
    log,
    maxSilence: silence,
    retryInterval: again,
    maxRetryAfter: longestRest,
    canBlock: blocks,
    ...readyHintsOf(service),
    ...(usenet === true && { usenet }),
    isRedirected: () => askedAt.origin !== new URL(request.url).origin,
    isFinal: (error) => isFinalFailure(error) || isFinalHere?.(error) === true,
  });
  registerSecret(open.url);
  return open;
}
