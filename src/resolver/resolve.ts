import type { Backend } from '../backends/backend.ts';
import type { Ledger } from '../backends/ledger.ts';
import type { Progress, Properties } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import type { LocalStream, MediaRequest, OpenFile, Playable, Release } from '../model/index.ts';
import type { Resolver } from '../resolver.ts';
import { OwnJob } from './job.ts';
import { orDiscard, type PendingStream } from './pending.ts';

/** What resolving works with. */
export interface ResolveContext {
  readonly backend: Backend;
  readonly ledger: Ledger;
  readonly properties: Properties;
  readonly progress: Pick<Progress, 'update'>;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Milliseconds that the backend may take to get the release ready. */
  readonly timeout: number;
}

/**
 * Release → local stream: fetch the NZB, submit it, wait until the backend is ready, find the file, prepare the proxy.
 * Whatever ends it early, the job is removed from the backend; what a killed process cannot remove, the ledger tells.
 */
export async function resolveRelease(
  release: Release,
  request: MediaRequest,
  context: ResolveContext,
  stages: Resolver,
): Promise<PendingStream> {
  const { backend, properties, progress, signal, log } = context;
  // Before anything is downloaded: without the proxy there is nothing to play it with.
  await stages.findProxy(properties, signal);
  await progress.update({ stage: `Fetching the NZB from ${release.links[0].indexer}`, detail: release.name });
  const nzb = await stages.fetchNzb(release, { signal, log });
  await progress.update({ stage: `Handing it to ${backend.name}`, detail: release.name });
  const job = await OwnJob.enter(nzb, request, context, stages);
  const pending = { commit: () => job.keep(), discard: () => job.remove() };
  return await orDiscard(pending, async () => {
    const finished = await job.finish(nzb, request, context, stages);
    await progress.update({
      stage: `Opening the stream from ${backend.name}`,
      detail: release.name,
      percent: 100,
    });
    const { file } = await stages.locate(backend, finished, request, signal);
    return { ...pending, stream: await prepare(file, context, stages) };
  });
}

/** `direct_play`: prepares a bare URL; none of the person's credentials are added. */
export async function resolveDirect(
  playable: Playable,
  context: Pick<ResolveContext, 'properties' | 'progress' | 'signal'>,
  stages: Resolver,
): Promise<PendingStream> {
  await context.progress.update({ stage: 'Opening the stream', detail: playable.name });
  const nothing = () => Promise.resolve();
  return { stream: await prepare(playable, context, stages), commit: nothing, discard: nothing };
}

/**
 * What the media centre opens by itself is handed on as it is. Else the proxy is asked for anew: a download takes
 * minutes, in which the service may have been restarted.
 */
async function prepare(
  playable: Playable,
  { properties, signal }: Pick<ResolveContext, 'properties' | 'signal'>,
  stages: Resolver,
) {
  if (playable.via === 'player') return opened(playable);
  return await stages.prepareStream(playable, await stages.findProxy(properties, signal), signal);
}

function opened({ url, size, subtitles }: OpenFile): LocalStream {
  return {
    url,
    ...(size !== undefined && { size }),
    ...(subtitles !== undefined && { subtitles: subtitles.map((file) => file.url) }),
  };
}
