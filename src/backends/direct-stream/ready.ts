import { type Logger, registerSecret } from '../../log/index.ts';
import type { DirectService } from '../../model/index.ts';
import type { Way } from '../../play-address/listed-at.ts';
import { waysOf, whenReady } from '../../play-address/when-ready.ts';
import { lookAt, type OpenStream, type StreamRequest } from './look.ts';
import { isFinal } from './replies.ts';
import type { Times } from './times.ts';

interface Patience {
  readonly times: Times;
  readonly log: Logger;
  /** Milliseconds for which it may give no good answer. */
  readonly silence: number;
  /** As StreamRequest.blocks. */
  readonly blocks?: boolean;
  /** Absent: one whose ways nobody knows. */
  readonly service?: DirectService | undefined;
  /** As Patience.usenet of whenReady, where the service is the person's backend. */
  readonly usenet?: true;
  /** As Way.isFinal. */
  readonly isFinal?: Way['isFinal'];
}

/**
 * Opens a stream as soon as it is ready. The log knows the addresses from now on.
 * @throws as whenReady; UNREACHABLE, TIMEOUT, BAD_ANSWER
 */
export async function openWhenReady(
  request: Omit<StreamRequest, 'timeout' | 'blocks' | 'onLed'>,
  { times, log, silence, blocks = false, service, usenet, isFinal: isFinalHere }: Patience,
): Promise<OpenStream> {
  const { who, signal } = request;
  registerSecret(request.url);
  const { open: timeout, again, longestRest } = times;
  let askedAt = new URL(request.url);
  const onLed = (to: URL) => {
    askedAt = to;
  };
  const look = () => {
    askedAt = new URL(request.url);
    return lookAt({ ...request, timeout, blocks, onLed });
  };
  const open = await whenReady<OpenStream>(look, {
    ...{ who, url: request.url, signal, log, silence, again, longestRest, blocks },
    ...waysOf(service),
    ...(usenet === true && { usenet }),
    isLed: () => askedAt.origin !== new URL(request.url).origin,
    isFinal: (error) => isFinal(error) || isFinalHere?.(error) === true,
  });
  registerSecret(open.url);
  return open;
}
