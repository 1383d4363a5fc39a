import { type Asked, type Came, judgeOpened } from '../backends/direct-stream/judge-opened.ts';
import { SlipstreamError } from '../errors/index.ts';
import type { LocalStream, OpenFile, Playable, Release } from '../model/index.ts';
import type { Resolver } from '../resolver.ts';
import type { Listed } from './listed.ts';
import type { StreamOrigin } from './pending.ts';
import type { ProxyAddress } from './prepare.ts';
import type { ResolveContext } from './resolve.ts';
import { sentInstead } from './sent-release.ts';

/** What a stream is to be held against, and what the service is to know of it. */
interface About {
  readonly asked?: Omit<Asked, 'who'>;
  readonly from?: StreamOrigin;
  readonly listed?: Listed;
}

export interface Prepared {
  readonly stream: LocalStream;
  /** The release that plays, where that was looked at. */
  readonly plays?: Release;
}

/**
 * What the media centre opens by itself is handed on as it is. Else the proxy is asked for anew: a download takes
 * minutes, in which the service may have been restarted.
 */
export async function openStream(
  playable: Playable,
  { asked, from, listed }: About,
  { properties, signal, progress, plan }: Pick<ResolveContext, 'properties' | 'signal' | 'plan' | 'progress'>,
  stages: Resolver,
): Promise<Prepared> {
  if (playable.via === 'player') return { stream: opened(playable) };
  const proxy = await stages.findProxy(properties, signal);
  const prepare = (anew: boolean) =>
    stages.prepareStream({ ...playable, plan: plan?.(from), listed, anew }, proxy, signal);
  const { opening } = playable;
  if (opening === undefined || asked === undefined) return { stream: await prepare(false) };
  const { who } = opening;
  const end = (stream: LocalStream) => endQuietly(stream, { proxy, stages, signal });
  const open = async (anew: boolean) => await judged({ ...asked, who }, await prepare(anew), end);
  const first = await chosenOr(open, { asked, listed, end, signal });
  if (first.plays !== asked.release)
    progress.tell?.(`${who} sent another release than the chosen one: ${first.plays.name}.`);
  if (first.stream.unseekable === true)
    progress.tell?.(`${who} sends only whole files: the film cannot be seeked.`);
  return first;
}

type Judged = Required<Prepared>;

interface Choosing {
  readonly listed: Listed | undefined;
  readonly asked: Omit<Asked, 'who'>;
  readonly end: (stream: LocalStream) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Where another release came, the list is asked once for where the chosen one is now: it may have moved (§8.11). */
async function chosenOr(
  open: (anew: boolean) => Promise<Judged>,
  { asked, listed, end, signal }: Choosing,
): Promise<Judged> {
  const first = await open(false).catch((error: unknown) => {
    if (listed === undefined || !isAnother(error)) throw error;
    return error;
  });
  const isOther = first instanceof SlipstreamError || first.plays !== asked.release;
  if (listed === undefined || !isOther) return unlessFailed(first);
  const second = await open(true).catch(() => undefined);
  signal.throwIfAborted();
  if (second?.plays === asked.release) {
    if (!(first instanceof SlipstreamError)) await end(first.stream);
    return second;
  }
  if (second !== undefined) await end(second.stream);
  return unlessFailed(first);
}

function unlessFailed(outcome: Judged | SlipstreamError): Judged {
  if (outcome instanceof SlipstreamError) throw outcome;
  return outcome;
}

const isAnother = (error: unknown): error is SlipstreamError =>
  error instanceof SlipstreamError && error.code === 'NO_VIDEO';

/** Ends the stream where it is of no use. @throws as judgeOpened */
async function judged(
  asked: Asked,
  stream: LocalStream,
  end: (stream: LocalStream) => Promise<void>,
): Promise<Judged> {
  try {
    return { stream, plays: await releaseThatCame(asked, stream) };
  } catch (error) {
    await end(stream);
    throw error;
  }
}

/** The release that plays: of another one than the chosen the size is not known. @throws as judgeOpened */
export async function releaseThatCame(asked: Asked, came: Came): Promise<Release> {
  const sent = await sentInstead(asked, came.name);
  if (sent !== undefined) return sent;
  judgeOpened(asked, came);
  return asked.release;
}

interface Ending {
  readonly proxy: ProxyAddress;
  readonly stages: Resolver;
  readonly signal: AbortSignal;
}

/** Nobody waits for a stream that is not to be played: what fails of it harms nobody. */
async function endQuietly(
  { url, unseekable }: LocalStream,
  { proxy, stages, signal }: Ending,
): Promise<void> {
  if (unseekable !== true) await stages.endStream(url, proxy, signal).catch(() => undefined);
}

function opened({ url, size, subtitles }: OpenFile): LocalStream {
  return {
    url,
    ...(size !== undefined && { size }),
    ...(subtitles !== undefined && { subtitles: subtitles.map((file) => file.url) }),
  };
}
