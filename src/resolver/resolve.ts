import type { Backend, FinishedJob } from '../backends/backend.ts';
import { expectedOf } from '../backends/direct-stream/stub.ts';
import type { Ledger } from '../backends/ledger.ts';
import type { Limits } from '../backends/nzb/limits.ts';
import { ManagerAway } from '../backends/nzb/manager-away.ts';
import type { OutOfReach } from '../backends/nzb/out-of-reach.ts';
import { asSlipstreamError, type ErrorCode, SlipstreamError } from '../errors/index.ts';
import type { Progress, Properties } from '../host/port.ts';
import type { BrokenReleases } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import {
  type Link,
  type MediaRequest,
  type Playable,
  type Release,
  UNKNOWN_QUALITY,
} from '../model/index.ts';
import type { RelistOf } from '../play-address/relisted.ts';
import { loadReleaseNameParser } from '../release/index.ts';
import type { Resolver } from '../resolver.ts';
import type { Choice } from './choices.ts';
import { OwnJob } from './job.ts';
import { openLink } from './open-link.ts';
import { openStream, releaseThatCame, tellOfAnother } from './open-stream.ts';
import { NOTHING_TO_REMOVE, orDiscard, type PendingStream, type StreamOrigin } from './pending.ts';
import type { Plan } from './plan.ts';
import { ofThatCame } from './sent-release.ts';
import { obtain, type Submission } from './submission.ts';
import { mayPass, OF_RELEASE, Unplayable } from './unplayable.ts';

/** What resolving works with. */
export interface ResolveContext {
  readonly backend: Backend;
  readonly ledger: Ledger;
  readonly properties: Properties;
  readonly progress: Pick<Progress, 'update' | 'tell'>;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Milliseconds that the backend may take to get the release ready. */
  readonly timeout: number;
  /** How links that play by themselves are played; absent: through the proxy. */
  readonly directVia?: Playable['via'];
  /** Asks the list that a link came from where its stream is now; absent: it is not asked, unless the service does. */
  readonly relist?: RelistOf;
  /** Other posts of a release, for a backend that lets them wait as backups. */
  readonly twins?: (release: Release) => readonly Release[];
  /** Throws what each download would fail with, as far as it is known by now: nothing is fetched for it. */
  readonly prove?: () => Promise<void>;
  /** Sources that deliver no more NZBs; who says so is added. Absent: all are asked. */
  readonly limits?: Limits;
  /**
   * Asks the person whether the backend may fetch an NZB itself that this device cannot reach: a key goes along, and nobody
   * checks what comes. Absent: it may not.
   */
  readonly mayFetchItself?: ((away: OutOfReach) => Promise<boolean>) | undefined;
  /** Hears of everything that was of no use, a release or a job that was there before, and why. */
  readonly failed?: (what: Suspect, failure: SlipstreamError) => Promise<void>;
  /** What the service may do when the stream is lost; asked for once it is about to be opened. */
  readonly plan?: (playing?: StreamOrigin) => Plan;
}

type Suspect = Parameters<BrokenReleases['failed']>[0];

/** What is wrong with a job that was there before: it does not hold what it should, or is there no more. */
const OF_JOB: ReadonlySet<ErrorCode> = new Set(['NO_VIDEO', 'DAMAGED', 'BAD_ANSWER']);

/**
 * Whether it is the job that is wrong. Bytes that do not come may be an outage that looks like it; a folder that is not
 * shown counts: at worst the next play from it makes it remembered again.
 */
const tellsOfJob = ({ code, broken }: SlipstreamError) =>
  broken || (code !== 'DAMAGED' && code !== 'PREPARE_FAILED');

/**
 * Release → what the player opens. One that the backend holds is opened there; any other is submitted, and its job
 * removed whatever ends the play early: what a killed process cannot remove, the ledger tells.
 * @throws Unplayable when another release may do; else what ended it
 */
export async function resolveRelease(
  choice: Choice,
  request: MediaRequest,
  context: ResolveContext,
  stages: Resolver,
): Promise<PendingStream> {
  const { backend, properties, signal, log } = context;
  // Before anything is downloaded: without the proxy there is nothing to play it with.
  if (backend.via === 'proxy') await stages.findProxy(properties, signal);
  const { there, wrong } = choice;
  const release = await withQuality(choice.release);
  if (there !== undefined) {
    try {
      return await openThere(release, there, request, context, stages);
    } catch (error) {
      signal.throwIfAborted();
      const failure = asSlipstreamError(error);
      if (!OF_JOB.has(failure.code) && !OF_RELEASE.has(failure.code)) throw failure;
      log.warning(`what ${backend.name} holds of it is of no use: ${failure.message}`);
      await context.failed?.({ job: there }, failure);
      if (tellsOfJob(failure)) await wrong?.();
      // Removed there since, or damaged: the post itself may still do.
      if (wrong !== undefined) throw new Unplayable(failure);
    }
  }
  if (wrong !== undefined) throw new Unplayable(gone(backend.name));
  try {
    const plays = fitLinks(release).find(
      (link) => link.plays === true && context.limits?.of(link) === undefined,
    );
    if (plays === undefined) return await download(release, request, context, stages);
    return await openLink({ release, link: plays, request }, context, stages);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Unplayable) throw error;
    throw error instanceof SlipstreamError && OF_RELEASE.has(error.code) ? new Unplayable(error) : error;
  }
}

/** StreamNZB opens no encrypted archive: it is asked for one where nothing else leads to it. */
function fitLinks({ links, password }: Release): readonly Link[] {
  const others = links.filter(({ service }) => service !== 'streamnzb');
  return password === undefined || others.length === 0 ? links : others;
}

/** What the service is left of a release tells nothing but its name. */
async function withQuality(release: Release): Promise<Release> {
  if (release.quality !== UNKNOWN_QUALITY) return release;
  return { ...release, quality: (await loadReleaseNameParser())(release.name) };
}

const gone = (name: string) =>
  new SlipstreamError('JOB_FAILED', {
    what: `${name} no longer has this season pack.`,
    next: 'Choose another release.',
  });

/** A job that was there before is not ours to remove. */
async function openThere(
  release: Release,
  job: FinishedJob,
  request: MediaRequest,
  context: ResolveContext,
  stages: Resolver,
): Promise<PendingStream> {
  return { ...(await open({ release }, job, request, context, stages)), ...NOTHING_TO_REMOVE };
}

async function download(
  release: Release,
  request: MediaRequest,
  context: ResolveContext,
  stages: Resolver,
): Promise<PendingStream> {
  const { progress, signal, log } = context;
  await context.prove?.();
  const submission = await obtain(release, request, context, stages).catch((error: unknown) => {
    signal.throwIfAborted();
    // Without its manager no release can be fetched; whatever ails an indexer, another one may deliver.
    throw error instanceof ManagerAway ? error : new Unplayable(asSlipstreamError(error));
  });
  await progress.update({ stage: submission.stage, detail: release.name });
  const job = await OwnJob.enter(release, request, context, stages);
  const pending = { commit: () => job.keep(), discard: () => job.remove() };
  const play = async () => {
    const finished = await job.finish(submission, context, stages);
    const opened = await open(submission, finished, request, context, stages);
    await job.plays(opened.stream.url);
    return { ...opened, ...pending };
  };
  return await orDiscard(pending, () =>
    play().catch((error: unknown) => {
      signal.throwIfAborted();
      if (!mayPass(error)) throw error;
      log.warning(`${context.backend.name} is given the release once more: ${error.message}`);
      return play();
    }),
  );
}

/** A finished job → what the player opens, once it has proven that it can be read. */
async function open(
  { release, articleBytes, videoBytes }: Pick<Submission, 'release' | 'articleBytes' | 'videoBytes'>,
  job: FinishedJob,
  request: MediaRequest,
  context: ResolveContext,
  stages: Resolver,
): Promise<Pick<PendingStream, 'stream' | 'from'>> {
  const { backend, progress, signal, log } = context;
  await progress.update({
    stage: `Opening the stream from ${backend.name}`,
    detail: release.name,
    percent: 100,
  });
  const { file: located, files, came } = await stages.locate(backend, job, request, signal);
  const file = withArticleBytes(located, articleBytes);
  const who = backend.name;
  const { name: jobName } = job;
  const sent = came === undefined ? release : await releaseThatCame({ who, release, request, jobName }, came);
  tellOfAnother(who, sent, release, progress);
  const proving = stages.proveReady(file, {
    // Of a service that streams by itself one episode may be all that is known of a pack.
    expected: backend.listsNothing === true ? expectedOf(sent, request).advertised : sent.size,
    held: sent === release ? videoBytes : undefined,
    files,
    read: (range, until) => backend.read(file, range, until),
    signal,
    log,
  });
  await ofThatCame(proving, { who, plays: sent, release });
  const from = { release: sent, files, ...(backend.listsNothing !== true && { job }) };
  const asked = { release, request, jobName, held: videoBytes };
  const { stream, plays } = await openStream(file, { asked, from }, context, stages).catch(
    async (error: unknown) => {
      signal.throwIfAborted();
      throw (await backend.explain?.(asSlipstreamError(error), job, signal)) ?? error;
    },
  );
  return { stream, from: { ...from, release: plays ?? sent } };
}

/** The server does not tell how large its articles are; the NZB did. */
function withArticleBytes(file: Playable, articleBytes: number | undefined): Playable {
  if (articleBytes === undefined || file.via !== 'proxy' || file.serving === undefined) return file;
  return { ...file, serving: { ...file.serving, articleBytes } };
}

/** `direct_play`: prepares a bare URL; none of the person's credentials are added. */
export async function resolveDirect(
  playable: Playable,
  context: Pick<ResolveContext, 'properties' | 'progress' | 'signal' | 'log'>,
  stages: Resolver,
): Promise<PendingStream> {
  await context.progress.update({ stage: 'Opening the stream', detail: playable.name });
  const { stream } = await openStream(playable, {}, context, stages);
  return { stream, ...NOTHING_TO_REMOVE };
}
