import { type Logger, registerSecret } from '../../log/index.ts';
import { whenReady } from '../../play-address/when-ready.ts';
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
}

/**
 * Opens a stream as soon as it is ready. The log knows the addresses from now on.
 * @throws as whenReady; UNREACHABLE, TIMEOUT, BAD_ANSWER
 */
export async function openWhenReady(
  request: Omit<StreamRequest, 'timeout' | 'blocks'>,
  { times, log, silence, blocks = false }: Patience,
): Promise<OpenStream> {
  const { who, signal } = request;
  registerSecret(request.url);
  const { open: timeout, again, longestRest } = times;
  const look = () => lookAt({ ...request, timeout, blocks });
  const open = await whenReady<OpenStream>(look, {
    ...{ who, signal, log, silence, again, longestRest, blocks, isFinal },
  });
  registerSecret(open.url);
  return open;
}
