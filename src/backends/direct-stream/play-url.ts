import { SlipstreamError } from '../../errors/index.ts';
import { takeLogin } from '../../io/login.ts';
import { deadlineSignal } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { Link, Playable, Release } from '../../model/index.ts';
import { openListed } from '../../play-address/listed-at.ts';
import type { WaitOptions } from '../backend.ts';
import type { Came } from './judge-opened.ts';
import { videoName } from './locate.ts';
import type { OpenStream } from './look.ts';
import { openWhenReady } from './ready.ts';
import { TIMES, type Times } from './times.ts';

export interface PlayOptions extends WaitOptions {
  readonly log: Logger;
  readonly times?: Times;
  /** Throws what speaks against what came. */
  readonly judge: (came: Came) => Promise<void>;
}

/**
 * Opens a link that plays by itself (Link.plays) as soon as it is ready: the second half of a Stremio stream list, whose
 * addresses block (protocols.md §8.3, contract B). The address that is found after redirects is what is played, for the
 * reasons that locateStream gives. One that wants headers goes through the proxy: they would be seen on the screen and in
 * logs behind an address of the media centre's (§10.4).
 * @throws JOB_FAILED when it leads to no video, JOB_TIMEOUT after `timeout` milliseconds; what `judge` rejects with;
 *   AUTH_FAILED, UNREACHABLE, TIMEOUT, SERVICE_ERROR
 */
export async function playUrl(
  { release, link }: { readonly release: Release; readonly link: Link },
  { signal, timeout, onProgress, log, judge, times = TIMES }: PlayOptions,
): Promise<Playable> {
  const who = link.indexer;
  signal.throwIfAborted();
  const limit = deadlineSignal(signal, timeout, () => tooLate(who, timeout));
  try {
    onProgress({ stage: 'verifying' });
    const headers = link.headers ?? {};
    const { service, listedAt } = link;
    const open = await openListed({ who, url: link.url, listedAt }, ({ url, isFinal, elsewhere }) =>
      openWhenReady(
        { url, headers, who, elsewhere, signal: limit.signal },
        { times, log, service, isFinal, silence: times.silence, blocks: true },
      ),
    );
    await judge(open);
    onProgress({ stage: 'ready', percent: 100 });
    return playableOf(open, videoName(open.name, open, release.name), link);
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : asFailure(who, error);
  } finally {
    limit.done();
  }
}

/** Headers are for the origin that they were given for, and for no other that it leads to. */
function playableOf({ url, size }: OpenStream, name: string, link: Link): Playable {
  const found = new URL(url);
  if (link.headers === undefined || found.origin !== new URL(link.url).origin)
    return { via: 'player', url, name, size };
  const login = takeLogin(found);
  const headers = { ...(login !== undefined && { authorization: login }), ...link.headers };
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

const tooLate = (who: string, timeout: number) =>
  new SlipstreamError('JOB_TIMEOUT', {
    what: `${who} did not get the stream ready within ${Math.ceil(timeout / 1000)} seconds.`,
    next: 'Try another release, or allow more time in the settings under Playback.',
  });
