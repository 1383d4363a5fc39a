import type { Came } from '../backends/backend.ts';
import { type Asked as AskedFor, judgeOpened } from '../backends/direct-stream/judge-opened.ts';
import { asSlipstreamError, SlipstreamError } from '../errors/index.ts';
import type { LocalStream, Playable, Release } from '../model/index.ts';
import type { ResolveContext } from './context.ts';
import { calledAsJob } from './job-name.ts';
import type { Listed } from './listed.ts';
import { openedByPlayer } from './opened-by-player.ts';
import type { StreamOrigin } from './pending-stream.ts';
import { type ProxyAddress, UnfitStream } from './prepare.ts';
import { SentAnother, sentInstead } from './sent-release.ts';
import type { StreamStages } from './stages.ts';

interface Asked extends AskedFor {
  /** The name under which the release was submitted, if it was. */
  readonly jobName?: string;
}

/** What a stream is to be held against, and what the service is to know of it. */
interface About {
  readonly asked?: Omit<Asked, 'who'>;
  readonly origin?: StreamOrigin;
  readonly listed?: Listed;
}

export interface Prepared {
  readonly stream: LocalStream;
  /** The release that plays, where that was looked at. */
  readonly plays?: Release;
}

/**
 * What the media centre opens by itself is handed on, if it is a video's address. Else the proxy is asked for anew: a download takes
 * minutes, in which the service may have been restarted.
 */
export async function openStream(
  playable: Playable,
  { asked, origin, listed }: About,
  {
    properties,
    signal,
    log,
    progress,
    plan,
  }: Pick<ResolveContext, 'properties' | 'signal' | 'log' | 'plan' | 'progress'>,
  stages: StreamStages,
): Promise<Prepared> {
  if (playable.via === 'player') return { stream: await openedByPlayer(playable, signal) };
  const proxy = await stages.findProxy(properties, signal);
  const prepare = (anew: boolean) =>
    stages.prepareStream({ ...playable, plan: plan?.(origin), listed, anew }, proxy, signal);
  const { opening } = playable;
  if (opening === undefined || asked === undefined) return { stream: await prepare(false) };
  const { who } = opening;
  const end = (stream: LocalStream) => endQuietly(stream, { proxy, stages });
  const open = async (anew: boolean) => {
    const stream = await prepare(anew).catch(async (error: unknown) => {
      throw error instanceof UnfitStream ? await ofAnother({ ...asked, who }, error) : error;
    });
    return await judged({ ...asked, who }, stream, end);
  };
  const { stream, plays } = await chosenOr(open, { asked, listed, end, signal });
  tellOfAnother(who, plays, asked.release, progress);
  if (stream.unseekable === true)
    progress.tell?.(`${who} sends only whole files: the film cannot be seeked.`);
  else if (plays !== asked.release && origin !== undefined && plan !== undefined)
    await stages
      .leavePlan(stream.url, plan({ ...origin, release: plays }), proxy, signal)
      .catch(async (error: unknown) => {
        if (signal.aborted) await end(stream);
        signal.throwIfAborted();
        // It plays all the same: should it break off, the chosen one's name is remembered in its place.
        log.warning(`the service does not know which release plays: ${asSlipstreamError(error).message}`);
      });
  return { stream, plays };
}

/** Tells where the release that plays is not the chosen one. */
export function tellOfAnother(
  who: string,
  plays: Release,
  chosen: Release,
  progress: ResolveContext['progress'],
): void {
  if (plays !== chosen) progress.tell?.(`${who} sent another release than the chosen one: ${plays.name}.`);
}

type Judged = Required<Prepared>;

interface Choosing {
  readonly listed: Listed | undefined;
  readonly asked: Omit<Asked, 'who'>;
  readonly end: (stream: LocalStream) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Where another release came, the list is asked once for the chosen one: it may have moved (protocols.md §8.11). */
async function chosenOr(
  open: (anew: boolean) => Promise<Judged>,
  { asked, listed, end, signal }: Choosing,
): Promise<Judged> {
  const first = await open(false).catch((error: unknown) => {
    // Any other failure is the chosen one's own, and final.
    if (listed === undefined || !(error instanceof SentAnother)) throw error;
    return error;
  });
  const isOther = first instanceof SlipstreamError || first.plays !== asked.release;
  if (listed === undefined || !isOther) return unlessFailed(first);
  const second = await open(true).catch(() => undefined);
  if (signal.aborted) for (const each of [first, second]) if (isJudged(each)) await end(each.stream);
  signal.throwIfAborted();
  if (second?.plays === asked.release) {
    if (!(first instanceof SlipstreamError)) await end(first.stream);
    return second;
  }
  if (second !== undefined) await end(second.stream);
  return unlessFailed(first);
}

const isJudged = (outcome: Judged | SlipstreamError | undefined): outcome is Judged =>
  outcome !== undefined && 'stream' in outcome;

function unlessFailed(outcome: Judged | SlipstreamError): Judged {
  if (outcome instanceof SlipstreamError) throw outcome;
  return outcome;
}

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

/** What is wrong with another release that came says nothing of the chosen one. @throws as sentInstead */
async function ofAnother(asked: Asked, failure: UnfitStream): Promise<SlipstreamError> {
  const sent = await sentInstead(asked, failure.told);
  return sent === undefined ? failure : new SentAnother(asked.who, `${sent.name}: ${failure.message}`);
}

/** The release that plays: of another one than the chosen the size is not known. @throws as judgeOpened */
export async function releaseThatCame(asked: Asked, came: Came): Promise<Release> {
  const sent = await sentInstead(asked, came.name);
  if (sent !== undefined) return sent;
  judgeOpened(asked, { ...came, name: calledAsJob(came.name, asked.jobName) ?? came.name });
  return asked.release;
}

interface Ending {
  readonly proxy: ProxyAddress;
  readonly stages: Pick<StreamStages, 'endStream'>;
}

/** Milliseconds for that. */
const END_MS = 2_000;

/** A stream that is not to be played is ended though the play was given up; what fails of that harms nobody. */
async function endQuietly({ url, unseekable }: LocalStream, { proxy, stages }: Ending): Promise<void> {
  if (unseekable === true) return;
  await stages.endStream(url, proxy, AbortSignal.timeout(END_MS)).catch(() => undefined);
}
