import type { FinishedJob } from '../backends/backend.ts';
import { expectedOf } from '../backends/direct-stream/stub.ts';
import { ManagerUnavailable } from '../backends/nzb/manager-unavailable.ts';
import { asSlipstreamError, type ErrorCode, SlipstreamError } from '../errors/index.ts';
import {
  type Link,
  type LocalStream,
  type MediaRequest,
  type Playable,
  type Release,
  UNKNOWN_QUALITY,
} from '../model/index.ts';
import { loadReleaseNameParser } from '../release/index.ts';
import type { Choice } from './choices.ts';
import type { ResolveContext } from './context.ts';
import { openLink } from './open-link.ts';
import { openStream, receivedRelease, tellOfSubstitute } from './open-stream.ts';
import { OwnJob } from './own-job.ts';
import { PendingStream, type StreamOrigin } from './pending-stream.ts';
import type { ReleaseStages, StreamStages } from './stages.ts';
import { prepareSubmission, type Submission } from './submission.ts';
import { attributeFailure } from './substitute.ts';
import { isTransientFailure, RELEASE_FAULTS, Unplayable } from './unplayable.ts';

/** What is wrong with a job that was there before: it does not hold what it should, or is there no more. */
const JOB_FAULTS: ReadonlySet<ErrorCode> = new Set(['NO_VIDEO', 'DAMAGED', 'BAD_ANSWER']);

/**
 * Whether it is the job that is wrong. Bytes that do not come may be an outage that looks like it; a folder that is not
 * shown counts: at worst the next play from it makes it remembered again.
 */
const isJobFault = ({ code, broken }: SlipstreamError) =>
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
  stages: ReleaseStages,
): Promise<PendingStream> {
  const { backend, properties, signal } = context;
  // Before anything is downloaded: without the proxy there is nothing to play it with.
  if (backend.via === 'proxy') await stages.findProxy(properties, signal);
  const release = await withQuality(choice.release);
  const { existingJob } = choice;
  if (existingJob !== undefined) {
    try {
      return await openExisting(release, existingJob, request, context, stages);
    } catch (error) {
      signal.throwIfAborted();
      await noteUselessJob(choice, existingJob, asSlipstreamError(error), context);
    }
  }
  if (choice.kind === 'remembered') throw new Unplayable(packGoneError(backend.name));
  return await openPost(release, request, context, stages);
}

/**
 * A job that the backend holds cannot be played. Returns when another way to the same release is left: it was removed
 * there since, or is damaged, and the post itself may still do. @throws the failure where that is the backend's own;
 * Unplayable for a remembered pack, of which there is no NZB
 */
async function noteUselessJob(
  choice: Choice,
  job: FinishedJob,
  failure: SlipstreamError,
  { backend, log, failed }: ResolveContext,
): Promise<void> {
  if (!JOB_FAULTS.has(failure.code) && !RELEASE_FAULTS.has(failure.code)) throw failure;
  log.warning(`what ${backend.name} holds of it is of no use: ${failure.message}`);
  await failed?.({ job }, failure);
  if (choice.kind === 'found') return;
  if (isJobFault(failure)) await choice.forget();
  throw new Unplayable(failure);
}

/** Opens the first link of the release that plays by itself, else downloads its NZB. */
async function openPost(
  release: Release,
  request: MediaRequest,
  context: ResolveContext,
  stages: ReleaseStages,
): Promise<PendingStream> {
  try {
    const plays = usableLinks(release).find(
      (link) => link.plays === true && context.limits?.limitOf(link) === undefined,
    );
    if (plays === undefined) return await downloadAndOpen(release, request, context, stages);
    return await openLink({ release, link: plays, request }, context, stages);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof Unplayable) throw error;
    throw error instanceof SlipstreamError && RELEASE_FAULTS.has(error.code) ? new Unplayable(error) : error;
  }
}

/** StreamNZB opens no encrypted archive: it is asked for one where nothing else leads to it. */
function usableLinks({ links, password }: Release): readonly Link[] {
  const others = links.filter(({ service }) => service !== 'streamnzb');
  return password === undefined || others.length === 0 ? links : others;
}

/** What the service is left of a release tells nothing but its name. */
async function withQuality(release: Release): Promise<Release> {
  if (release.quality !== UNKNOWN_QUALITY) return release;
  return { ...release, quality: (await loadReleaseNameParser())(release.name) };
}

const packGoneError = (name: string) =>
  new SlipstreamError('JOB_FAILED', {
    what: `${name} no longer has this season pack.`,
    next: 'Choose another release.',
  });

/** A job that was there before is not ours to remove. */
async function openExisting(
  release: Release,
  job: FinishedJob,
  request: MediaRequest,
  context: ResolveContext,
  stages: ReleaseStages,
): Promise<PendingStream> {
  return new PendingStream(await openJob({ release }, job, request, context, stages));
}

async function downloadAndOpen(
  release: Release,
  request: MediaRequest,
  context: ResolveContext,
  stages: ReleaseStages,
): Promise<PendingStream> {
  const { backend, progress, signal, log } = context;
  await context.preflight?.();
  const submission = await prepareSubmission(release, request, context, stages).catch((error: unknown) => {
    signal.throwIfAborted();
    // Without its manager no release can be fetched; whatever ails an indexer, another one may deliver.
    throw error instanceof ManagerUnavailable ? error : new Unplayable(asSlipstreamError(error));
  });
  await progress.update({ stage: submission.stage, detail: release.name });
  const job = await OwnJob.enter(release, request, context, stages);
  const play = async () => {
    const finished = await job.submitAndWait(submission, context, stages);
    const opened = await openJob(submission, finished, request, context, stages);
    await job.markPlaying(opened.stream.url);
    return new PendingStream({ ...opened, job });
  };
  try {
    return await play().catch(async (error: unknown) => {
      signal.throwIfAborted();
      if (!isTransientFailure(error)) throw error;
      log.warning(`${backend.name} is given the release once more: ${error.message}`);
      return await play();
    });
  } catch (error) {
    await job.remove();
    throw error;
  }
}

/** A finished job → what the player opens, once it has proven that it can be read. */
async function openJob(
  { release, articleBytes, videoBytes }: Pick<Submission, 'release' | 'articleBytes' | 'videoBytes'>,
  job: FinishedJob,
  request: MediaRequest,
  context: ResolveContext,
  stages: ReleaseStages,
): Promise<{ readonly stream: LocalStream; readonly origin: StreamOrigin }> {
  const { backend, progress, signal, log } = context;
  await progress.update({
    stage: `Opening the stream from ${backend.name}`,
    detail: release.name,
    percent: 100,
  });
  const { file: located, files, received: came } = await stages.locate(backend, job, request, signal);
  const file = withArticleBytes(located, articleBytes);
  const who = backend.name;
  const { name: jobName } = job;
  const sent = came === undefined ? release : await receivedRelease({ who, release, request, jobName }, came);
  tellOfSubstitute(who, sent, release, progress);
  const proving = stages.verifyPlayable(file, {
    // Of a service that streams by itself one episode may be all that is known of a pack.
    advertisedBytes: backend.hasNoJobList === true ? expectedOf(sent, request).advertised : sent.size,
    nzbVideoBytes: sent === release ? videoBytes : undefined,
    files,
    read: (range, until) => backend.read(file, range, until),
    signal,
    log,
  });
  await attributeFailure(proving, { who, received: sent, release });
  const origin = { release: sent, files, ...(backend.hasNoJobList !== true && { job }) };
  const asked = { release, request, jobName, nzbVideoBytes: videoBytes };
  const { stream, plays } = await openStream(file, { requested: asked, origin }, context, stages).catch(
    async (error: unknown) => {
      signal.throwIfAborted();
      throw (await backend.explain?.(asSlipstreamError(error), job, signal)) ?? error;
    },
  );
  return { stream, origin: { ...origin, release: plays ?? sent } };
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
  stages: StreamStages,
): Promise<PendingStream> {
  await context.progress.update({ stage: 'Opening the stream', detail: playable.name });
  const { stream } = await openStream(playable, {}, context, stages);
  return new PendingStream({ stream });
}
