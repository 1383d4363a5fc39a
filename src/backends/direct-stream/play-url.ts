import { SlipstreamError } from '../../errors/index.ts';
import { takeLogin } from '../../io/login.ts';
import { deadlineSignal } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { Link, Playable, Release } from '../../model/index.ts';
import { openListed } from '../../play-address/open-listed.ts';
import { openOrRelist, type Relist, type StreamAddress } from '../../play-address/open-or-relist.ts';
import { notReadyError } from '../../play-address/stream-failure.ts';
import type { ReceivedFile, WaitOptions } from '../backend.ts';
import { videoName } from './locate.ts';
import { openWhenReady } from './open-when-ready.ts';
import type { VideoStream } from './probe-stream.ts';
import { DIRECT_STREAM_TIMINGS, type DirectStreamTimings } from './timings.ts';

export interface PlayOptions extends WaitOptions {
  readonly log: Logger;
  readonly times?: DirectStreamTimings;
  /** Absent: nobody knows the list that the link came from. */
  readonly relist?: Relist | undefined;
  /** Throws what speaks against what came. */
  readonly judge: (came: ReceivedFile) => Promise<void>;
}

/**
 * Opens a link that plays by itself (Link.plays) as soon as it is ready: the second half of a Stremio stream list, whose
 * addresses block (protocols.md §8.3). The address that is found after redirects is what is played, for the
 * reasons that locateStream gives. One that wants headers goes through the proxy: they would be seen on the screen and in
 * logs behind an address of the media centre's (protocols.md §10.4).
 * @throws JOB_FAILED when it leads to no video, JOB_TIMEOUT after `timeout` milliseconds; what `judge` rejects with;
 *   AUTH_FAILED, UNREACHABLE, TIMEOUT, SERVICE_ERROR
 */
export async function playUrl(
  { release, link }: { readonly release: Release; readonly link: Link },
  { signal, timeout, onProgress, log, judge, relist, times = DIRECT_STREAM_TIMINGS }: PlayOptions,
): Promise<Playable> {
  const who = link.indexer;
  signal.throwIfAborted();
  const limit = deadlineSignal(signal, timeout, () => notReadyError(who, timeout));
  try {
    onProgress({ stage: 'verifying' });
    const { service, listedAt } = link;
    const openAt = async (address: StreamAddress) => {
      const { url: listed, headers } = address;
      const open = await openListed({ who, url: listed, listedAt }, ({ url, isFinal, elsewhere }) =>
        openWhenReady(
          { url, headers, who, elsewhere, signal: limit.signal },
          { times, log, service, isFinal, maxSilence: times.maxSilence, blocks: true },
        ),
      );
      return { open, address };
    };
    const given = { url: link.url, headers: link.headers ?? {} };
    const from = { who, address: given, relist, signal: limit.signal, log };
    const found = await openOrRelist(from, openAt);
    await judge(found.open);
    onProgress({ stage: 'ready', percent: 100 });
    return playableOf(found.open, release, found.address);
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : asFailure(who, error);
  } finally {
    limit.done();
  }
}

/** Headers are for the origin that they were given for, and for no other that it leads to. */
function playableOf(open: VideoStream, release: Release, address: StreamAddress): Playable {
  const { url, size } = open;
  const name = videoName(open.name, open, release.name);
  const found = new URL(url);
  const needsHeaders = Object.keys(address.headers).length > 0;
  if (!needsHeaders || found.origin !== new URL(address.url).origin)
    return { via: 'player', url, name, size };
  const login = takeLogin(found);
  const headers = { ...(login !== undefined && { authorization: login }), ...address.headers };
  return { via: 'proxy', url: found.href, headers, name, size };
}

/** An address that leads nowhere says nothing of other releases. */
function asFailure(who: string, error: unknown): unknown {
  if (!(error instanceof SlipstreamError) || error.code !== 'BAD_ANSWER') return error;
  return new SlipstreamError(
    'JOB_FAILED',
    { what: `${who} gave an address that leads to no video.`, next: 'Try another release, or search anew.' },
    { cause: error, detail: error.message },
  );
}
