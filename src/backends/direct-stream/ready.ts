import { type Logger, registerSecret } from '../../log/index.ts';
import type { DirectService } from '../../model/index.ts';
import type { Way } from '../../play-address/listed-at.ts';
import { mostRequests, whenReady } from '../../play-address/when-ready.ts';
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
  /** As Way.isFinal. */
  readonly isFinal?: Way['isFinal'];
}

/**
 * Opens a stream as soon as it is ready. The log knows the addresses from now on.
 * @throws as whenReady; UNREACHABLE, TIMEOUT, BAD_ANSWER
 */
export async function openWhenReady(
  request: Omit<StreamRequest, 'timeout' | 'blocks'>,
  { times, log, silence, blocks = false, service, isFinal: isFinalHere }: Patience,
): Promise<OpenStream> {
  const { who, signal } = request;
  registerSecret(request.url);
  const { open: timeout, again, longestRest } = times;
  const look = () => lookAt({ ...request, timeout, blocks });
  const open = await whenReady<OpenStream>(look, {
    ...{ who, url: request.url, signal, log, silence, again, longestRest, blocks },
    ...mostRequests(service),
    isFinal: (error) => isFinal(error) || isFinalHere?.(error) === true,
  });
  registerSecret(open.url);
  return open;
}
