import type { Backend, FinishedJob } from '../backends/backend.ts';
import type { Came } from '../backends/direct-stream/judge-opened.ts';
import { linkedFile } from '../backends/direct-stream/linked-file.ts';
import { expectedOf } from '../backends/direct-stream/stub.ts';
import type { Ledger } from '../backends/ledger.ts';
import type { Limits } from '../backends/nzb/limits.ts';
import { ManagerAway } from '../backends/nzb/manager-away.ts';
import type { OutOfReach } from '../backends/nzb/out-of-reach.ts';
import { readRange } from '../backends/read-range.ts';
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
import { loadReleaseNameParser } from '../release/index.ts';
import type { Resolver } from '../resolver.ts';
import type { Choice } from './choices.ts';
import { OwnJob } from './job.ts';
import { listedAs } from './listed.ts';
import { openStream, type Prepared, releaseThatCame } from './open-stream.ts';
import { orDiscard, type PendingStream, type StreamOrigin } from './pending.ts';
import type { Plan } from './plan.ts';
import { obtain, type Submission } from './submission.ts';

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

/** This release cannot be played; another one may. */
export class Unplayable extends Error {
  readonly failure: SlipstreamError;

  constructor(failure: SlipstreamError) {
    super(failure.message, { cause: failure });
    this.failure = failure;
  }
}

/** What is the release's own fault, whoever says so. Not a job's timeout: the person's patience is used up then. */
const OF_RELEASE: ReadonlySet<ErrorCode> = new Set([
  'NZB_INVALID',
  'NZB_INCOMPLETE',
  'SUBMIT_REFUSED',
  'JOB_FAILED',
  'NO_VIDEO',
  'DAMAGED',
  'PREPARE_FAILED',
]);

/** What is wrong with a job that was there before: it does not hold what it should, or is there no more. */
const OF_JOB: ReadonlySet<ErrorCode> = new Set(['NO_VIDEO', 'DAMAGED', 'BAD_ANSWER']);

/** What a stream's own server is in trouble with: the next link may lead to another one. */
const OF_LINK: ReadonlySet<ErrorCode> = new Set([
  ...OF_RELEASE,
  ...(['UNREACHABLE', 'SERVICE_ERROR', 'TIMEOUT', 'AUTH_FAILED', 'RATE_LIMITED'] as const),
]);

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
    const plays = release.links.find((link) => link.plays === true && context.limits?.of(link) === undefined);
    if (plays === undefined) return await download(release, request, context, stages);
    return await openLink(release, plays, request, context, stages);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Unplayable) throw error;
    throw error instanceof SlipstreamError && OF_RELEASE.has(error.code) ? new Unplayable(error) : error;
  }
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

/** A link that plays by itself: some other service has chosen its own backend, and makes it ready when it is asked. */
async function openLink(
  release: Release,
  link: Link,
  request: MediaRequest,
  context: ResolveContext,
  stages: Resolver,
): Promise<PendingStream> {
  const { progress, signal, directVia, limits } = context;
  await progress.update({ stage: `Waiting for ${link.indexer}`, detail: release.name });
  const asked = { release, link, request };
  const opening =
    directVia === 'player' ? openForPlayer(asked, context, stages) : openByProxy(asked, context, stages);
  const prepared = await opening.catch((error: unknown) => {
    signal.throwIfAborted();
    const isUnplayable = error instanceof Unplayable;
    const failure = asSlipstreamError(isUnplayable ? error.failure : error);
    // Other links of the same add-on would fail alike.
    limits?.note(link, failure);
    throw isUnplayable || OF_LINK.has(failure.code) ? new Unplayable(failure) : failure;
  });
  return {
    stream: prepared.stream,
    from: { release: prepared.plays ?? release, files: [] },
    ...NOTHING_TO_REMOVE,
  };
}

interface AskedLink {
  readonly release: Release;
  readonly link: Link;
  readonly request: MediaRequest;
}

/** The proxy opens it, waits for it and proves it by one request. */
async function openByProxy(
  { release, link, request }: AskedLink,
  context: ResolveContext,
  stages: Resolver,
): Promise<Prepared> {
  const file = linkedFile(release, link, context.timeout);
  const listed = listedAs(request, release, link);
  return await openStream(file, { asked: { release, request, isListed: true }, listed }, context, stages);
}

/** The media centre is given the address that it has led to. */
async function openForPlayer(
  { release, link, request }: AskedLink,
  context: ResolveContext,
  stages: Resolver,
): Promise<Prepared> {
  const { signal, timeout, log, progress } = context;
  let plays = release;
  const judge = async (came: Came) => {
    plays = await releaseThatCame({ who: link.indexer, release, request, isListed: true }, came);
    if (plays !== release)
      progress.tell?.(`${link.indexer} sent another release than the chosen one: ${plays.name}.`);
  };
  const options = { signal, timeout, log, judge, onProgress: () => undefined };
  const file = await stages.playUrl({ release, link }, options).catch((error: unknown) => {
    signal.throwIfAborted();
    const failure = asSlipstreamError(error);
    // It speaks for this add-on alone, and another release may come from somewhere else.
    throw failure.code === 'JOB_TIMEOUT' ? failure : new Unplayable(failure);
  });
  const headers = file.via === 'proxy' ? file.headers : {};
  await stages.proveReady(file, {
    expected: expectedOf(plays, request).advertised,
    files: [],
    read: (range: { readonly from: number; readonly length: number }, until: AbortSignal) =>
      readRange({ url: file.url, headers, who: link.indexer, timeout: READ_MS, signal: until }, range),
    ...{ signal, log },
  });
  return { ...(await openStream(file, {}, context, stages)), plays };
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
    return { ...(await open(submission, finished, request, context, stages)), ...pending };
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

/** A job's failure that its backend does not take for final. */
const mayPass = (error: unknown): error is SlipstreamError =>
  error instanceof SlipstreamError && error.code === 'JOB_FAILED' && error.transient;

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
  const { file: located, files } = await stages.locate(backend, job, request, signal);
  const file = withArticleBytes(located, articleBytes);
  await stages.proveReady(file, {
    // Of a service that streams by itself one episode may be all that is known of a pack.
    expected: backend.listsNothing === true ? expectedOf(release, request).advertised : release.size,
    held: videoBytes,
    files,
    read: (range, until) => backend.read(file, range, until),
    signal,
    log,
  });
  const from = { release, files, ...(backend.listsNothing !== true && { job }) };
  const asked = { release, request, held: videoBytes };
  const { stream, plays } = await openStream(file, { asked, from }, context, stages).catch(
    async (error: unknown) => {
      signal.throwIfAborted();
      throw (await backend.explain?.(asSlipstreamError(error), job, signal)) ?? error;
    },
  );
  return { stream, from: { ...from, release: plays ?? release } };
}

/** The server does not tell how large its articles are; the NZB did. */
function withArticleBytes(file: Playable, articleBytes: number | undefined): Playable {
  if (articleBytes === undefined || file.via !== 'proxy' || file.serving === undefined) return file;
  return { ...file, serving: { ...file.serving, articleBytes } };
}

/** For the piece of a link's video that proves it; milliseconds. */
const READ_MS = 15_000;

const NOTHING_TO_REMOVE = { commit: () => Promise.resolve(), discard: () => Promise.resolve() };

/** `direct_play`: prepares a bare URL; none of the person's credentials are added. */
export async function resolveDirect(
  playable: Playable,
  context: Pick<ResolveContext, 'properties' | 'progress' | 'signal'>,
  stages: Resolver,
): Promise<PendingStream> {
  await context.progress.update({ stage: 'Opening the stream', detail: playable.name });
  const { stream } = await openStream(playable, {}, context, stages);
  return { stream, ...NOTHING_TO_REMOVE };
}
