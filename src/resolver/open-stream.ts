import type { ReceivedFile } from '../backends/backend.ts';
import { type RequestedStream as AskedFor, verifyOpened } from '../backends/direct-stream/verify-opened.ts';
import { asSlipstreamError, SlipstreamError } from '../errors/index.ts';
import type { LocalStream, Playable, Release } from '../model/index.ts';
import type { ResolveContext } from './context.ts';
import { withoutJobSuffix } from './job-name.ts';
import type { ListingRef } from './listing-ref.ts';
import { openInPlayer } from './open-in-player.ts';
import type { StreamOrigin } from './pending-stream.ts';
import { type ProxyAddress, UnplayableStream } from './prepare.ts';
import type { StreamStages } from './stages.ts';
import { findSubstitute, WrongRelease } from './substitute.ts';

interface SubmittedRequest extends AskedFor {
  /** The name under which the release was submitted, if it was. */
  readonly jobName?: string;
}

/** What a stream is to be held against, and what the service is to know of it. */
interface StreamContext {
  readonly requested?: Omit<SubmittedRequest, 'who'>;
  readonly origin?: StreamOrigin;
  readonly listed?: ListingRef;
}

export interface OpenedPlayback {
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
  { requested: asked, origin, listed }: StreamContext,
  {
    properties,
    signal,
    log,
    progress,
    plan,
  }: Pick<ResolveContext, 'properties' | 'signal' | 'log' | 'plan' | 'progress'>,
  stages: StreamStages,
): Promise<OpenedPlayback> {
  if (playable.via === 'player') return { stream: await openInPlayer(playable, signal) };
  const proxy = await stages.findProxy(properties, signal);
  const prepare = (anew: boolean) =>
    stages.prepareStream({ ...playable, plan: plan?.(origin), listed, anew }, proxy, signal);
  const { opening } = playable;
  if (opening === undefined || asked === undefined) return { stream: await prepare(false) };
  const { who } = opening;
  const end = (stream: LocalStream) => endQuietly(stream, { proxy, stages });
  const open = async (anew: boolean) => {
    const stream = await prepare(anew).catch(async (error: unknown) => {
      throw error instanceof UnplayableStream ? await substituteError({ ...asked, who }, error) : error;
    });
    return await checkStream({ ...asked, who }, stream, end);
  };
  const { stream, plays } = await openChosenOrSubstitute(open, { requested: asked, listed, end, signal });
  tellOfSubstitute(who, plays, asked.release, progress);
  if (stream.unseekable === true)
    progress.printLine?.(`${who} sends only whole files: the film cannot be seeked.`);
  else if (plays !== asked.release && origin !== undefined && plan !== undefined)
    await stages
      .updatePlan(stream.url, plan({ ...origin, release: plays }), proxy, signal)
      .catch(async (error: unknown) => {
        if (signal.aborted) await end(stream);
        signal.throwIfAborted();
        // It plays all the same: should it break off, the chosen one's name is remembered in its place.
        log.warning(`the service does not know which release plays: ${asSlipstreamError(error).message}`);
      });
  return { stream, plays };
}

/** Tells where the release that plays is not the chosen one. */
export function tellOfSubstitute(
  who: string,
  plays: Release,
  chosen: Release,
  progress: ResolveContext['progress'],
): void {
  if (plays !== chosen)
    progress.printLine?.(`${who} sent another release than the chosen one: ${plays.name}.`);
}

type CheckedStream = Required<OpenedPlayback>;

interface ChosenContext {
  readonly listed: ListingRef | undefined;
  readonly requested: Omit<SubmittedRequest, 'who'>;
  readonly end: (stream: LocalStream) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Where another release came, the list is asked once for the chosen one: it may have moved (protocols.md §8.11). */
async function openChosenOrSubstitute(
  open: (anew: boolean) => Promise<CheckedStream>,
  { requested: asked, listed, end, signal }: ChosenContext,
): Promise<CheckedStream> {
  const first = await open(false).catch((error: unknown) => {
    // Any other failure is the chosen one's own, and final.
    if (listed === undefined || !(error instanceof WrongRelease)) throw error;
    return error;
  });
  const isOther = first instanceof SlipstreamError || first.plays !== asked.release;
  if (listed === undefined || !isOther) return orThrow(first);
  const second = await open(true).catch(() => undefined);
  if (signal.aborted) for (const each of [first, second]) if (isCheckedStream(each)) await end(each.stream);
  signal.throwIfAborted();
  if (second?.plays === asked.release) {
    if (!(first instanceof SlipstreamError)) await end(first.stream);
    return second;
  }
  if (second !== undefined) await end(second.stream);
  return orThrow(first);
}

const isCheckedStream = (outcome: CheckedStream | SlipstreamError | undefined): outcome is CheckedStream =>
  outcome !== undefined && 'stream' in outcome;

function orThrow(outcome: CheckedStream | SlipstreamError): CheckedStream {
  if (outcome instanceof SlipstreamError) throw outcome;
  return outcome;
}

/** Ends the stream where it is of no use. @throws as verifyOpened */
async function checkStream(
  asked: SubmittedRequest,
  stream: LocalStream,
  end: (stream: LocalStream) => Promise<void>,
): Promise<CheckedStream> {
  try {
    return { stream, plays: await receivedRelease(asked, stream) };
  } catch (error) {
    await end(stream);
    throw error;
  }
}

/** What is wrong with another release that came says nothing of the chosen one. @throws as findSubstitute */
async function substituteError(asked: SubmittedRequest, failure: UnplayableStream): Promise<SlipstreamError> {
  const sent = await findSubstitute(asked, failure.declaredName);
  return sent === undefined ? failure : new WrongRelease(asked.who, `${sent.name}: ${failure.message}`);
}

/** The release that plays: of another one than the chosen the size is not known. @throws as verifyOpened */
export async function receivedRelease(asked: SubmittedRequest, came: ReceivedFile): Promise<Release> {
  const sent = await findSubstitute(asked, came.name);
  if (sent !== undefined) return sent;
  verifyOpened(asked, { ...came, name: withoutJobSuffix(came.name, asked.jobName) ?? came.name });
  return asked.release;
}

interface EndContext {
  readonly proxy: ProxyAddress;
  readonly stages: Pick<StreamStages, 'endStream'>;
}

/** Milliseconds for that. */
const END_TIMEOUT_MS = 2_000;

/** A stream that is not to be played is ended though the play was given up; what fails of that harms nobody. */
async function endQuietly({ url, unseekable }: LocalStream, { proxy, stages }: EndContext): Promise<void> {
  if (unseekable === true) return;
  await stages.endStream(url, proxy, AbortSignal.timeout(END_TIMEOUT_MS)).catch(() => undefined);
}
