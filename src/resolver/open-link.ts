import type { ReceivedFile } from '../backends/backend.ts';
import { linkedFile } from '../backends/direct-stream/linked-file.ts';
import { explainRowFailure } from '../backends/direct-stream/streamnzb-attempts.ts';
import { expectedOf } from '../backends/direct-stream/stub.ts';
import { readFileRange } from '../backends/read-file-range.ts';
import { asSlipstreamError, type ErrorCode } from '../errors/index.ts';
import type { Link, MediaRequest, Release } from '../model/index.ts';
import type { ResolveContext } from './context.ts';
import { listingRefOf } from './listing-ref.ts';
import { type OpenedPlayback, openStream, receivedRelease, tellOfSubstitute } from './open-stream.ts';
import { PendingStream } from './pending-stream.ts';
import type { ResolverStages, StreamStages } from './stages.ts';
import { attributeFailure } from './substitute.ts';
import { isTransientFailure, RELEASE_FAULTS, Unplayable } from './unplayable.ts';

type LinkStages = StreamStages & Pick<ResolverStages, 'playUrl' | 'verifyPlayable'>;

/** A release, and a link to it that plays by itself (Link.plays). */
interface LinkRequest {
  readonly release: Release;
  readonly link: Link;
  readonly request: MediaRequest;
}

/**
 * Opens a link that plays by itself: some other service has chosen its own backend, and makes it ready when it is asked.
 * @throws Unplayable when another release may do; else what ended it
 */
export async function openLink(
  asked: LinkRequest,
  context: ResolveContext,
  stages: LinkStages,
): Promise<PendingStream> {
  const { progress, signal, directVia, limits } = context;
  const { release, link } = asked;
  await progress.update({ stage: `Waiting for ${link.indexer}`, detail: release.name });
  const open = directVia === 'player' ? openForPlayer : openByProxy;
  const openOnce = () =>
    open(asked, context, stages).catch(async (error: unknown) => {
      signal.throwIfAborted();
      throw await explainRowFailure(asSlipstreamError(error), link, signal);
    });
  const { stream, plays = release } = await retryTransient(openOnce, asked, context).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      const failure = asSlipstreamError(error);
      // Other links of the same add-on would fail alike.
      limits?.record(link, failure);
      throw LINK_FAULTS.has(failure.code) ? new Unplayable(failure) : failure;
    },
  );
  return new PendingStream({ stream, origin: { release: plays, files: [] } });
}

/** What a stream's own server is in trouble with: the next link may lead to another one. */
const LINK_FAULTS: ReadonlySet<ErrorCode> = new Set([
  ...RELEASE_FAULTS,
  ...(['UNREACHABLE', 'SERVICE_ERROR', 'TIMEOUT', 'AUTH_FAILED', 'RATE_LIMITED'] as const),
]);

/** What may pass is tried once more. An address that has died with its failure is looked for in its list then. */
async function retryTransient(
  open: () => Promise<OpenedPlayback>,
  { link, release }: LinkRequest,
  { signal, log }: ResolveContext,
): Promise<OpenedPlayback> {
  return await open().catch(async (first: unknown) => {
    signal.throwIfAborted();
    if (!isTransientFailure(first)) throw first;
    log.warning(`${link.indexer} is asked for ${release.name} once more: ${first.message}`);
    return await open().catch((error: unknown) => {
      signal.throwIfAborted();
      // That there is nothing to be opened any more tells less than why it had failed.
      throw RELEASE_FAULTS.has(asSlipstreamError(error).code) ? first : error;
    });
  });
}

/** The proxy opens it, waits for it and proves it by one request. */
async function openByProxy(
  { release, link, request }: LinkRequest,
  context: ResolveContext,
  stages: LinkStages,
): Promise<OpenedPlayback> {
  const file = linkedFile(release, link, context.timeout);
  const listed = listingRefOf(request, release, link);
  return await openStream(file, { requested: { release, request, row: link }, listed }, context, stages);
}

/** For the piece of a link's video that proves it; milliseconds. */
const READ_TIMEOUT_MS = 15_000;

/** The media centre is given the address that it has led to. */
async function openForPlayer(
  { release, link, request }: LinkRequest,
  context: ResolveContext,
  stages: LinkStages,
): Promise<OpenedPlayback> {
  const { signal, timeout, log, progress, relist: relistOf } = context;
  const who = link.indexer;
  let plays = release;
  const judge = async (came: ReceivedFile) => {
    plays = await receivedRelease({ who, release, request, row: link }, came);
    tellOfSubstitute(who, plays, release, progress);
  };
  const relist = relistOf && ((until: AbortSignal) => relistOf(listingRefOf(request, release, link), until));
  const options = { signal, timeout, log, judge, relist, onProgress: () => undefined };
  const file = await stages.playUrl({ release, link }, options);
  const headers = file.via === 'proxy' ? file.headers : {};
  const proving = stages.verifyPlayable(file, {
    advertisedBytes: expectedOf(plays, request, plays === release ? link : {}).advertised,
    files: [],
    read: (range, until) =>
      readFileRange({ url: file.url, headers, who, timeout: READ_TIMEOUT_MS, signal: until }, range),
    signal,
    log,
  });
  await attributeFailure(proving, { who, received: plays, release });
  return { ...(await openStream(file, {}, context, stages)), plays };
}
