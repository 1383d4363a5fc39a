import type { Backend, FinishedJob, Nzb } from '../backends/backend.ts';
import type { Ledger } from '../backends/ledger.ts';
import type { Progress, Properties } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import type { JobProgress, LocalStream, MediaRequest, Playable, Release } from '../model/index.ts';
import type { Resolver } from '../resolver.ts';

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

/** How long the clean-up after a failure or a cancel may take: Kodi kills a cancelled plugin after 5 s. */
const CLEAN_UP_MS = 2_000;

/**
 * Release → local stream: fetch the NZB, submit it, wait until the backend is ready, find the file, prepare the proxy.
 * Whatever ends it early, the job is removed from the backend; what a killed process cannot remove, the ledger tells.
 */
export async function resolveRelease(
  release: Release,
  request: MediaRequest,
  context: ResolveContext,
  stages: Resolver,
): Promise<LocalStream> {
  const { backend, properties, progress, signal, log } = context;
  // Before anything is downloaded: without the proxy there is nothing to play it with.
  const proxy = await stages.findProxy(properties, signal);
  await progress.update({ stage: `Fetching the NZB from ${release.indexer}`, detail: release.name });
  const nzb = await stages.fetchNzb(release, { signal, log });
  return await withJob(nzb, request, context, stages, async (finished) => {
    await progress.update({
      stage: `Opening the stream from ${backend.name}`,
      detail: release.name,
      percent: 100,
    });
    const playable = await stages.locate(backend, finished, request, signal);
    return await stages.prepareStream(playable, proxy, signal);
  });
}

/** Runs `use` with the finished job; the job outlives this call only when `use` succeeds. */
async function withJob(
  nzb: Nzb,
  request: MediaRequest,
  context: ResolveContext,
  stages: Resolver,
  use: (job: FinishedJob) => Promise<LocalStream>,
): Promise<LocalStream> {
  const { backend, ledger, progress, signal, log } = context;
  const { release } = nzb;
  const name = stages.uniqueJobName(release.name);
  const category = backend.categoryOf(request);
  const entry = await ledger.enter(name, category);
  let id: string | undefined;
  try {
    await progress.update({ stage: `Handing it to ${backend.name}`, detail: release.name });
    const job = await stages.submit(backend, nzb, name, request, signal);
    id = job.id;
    await entry.submitted(id);
    const finished = await stages.waitUntilReady(backend, job, {
      signal,
      timeout: context.timeout,
      onProgress: showProgress(context, release.name),
    });
    const stream = await use(finished);
    await entry.strike();
    return stream;
  } catch (error) {
    const job = { name, category, ...(id === undefined ? {} : { id }) };
    await backend.remove(job, AbortSignal.timeout(CLEAN_UP_MS)).then(
      () => entry.strike(),
      (cause: unknown) => {
        log.error(`the job could not be removed from ${backend.name}; the service will try again`, cause);
      },
    );
    throw error;
  }
}

function showProgress(
  { backend, progress, log }: ResolveContext,
  detail: string,
): (state: JobProgress) => void {
  const words = {
    queued: 'Queued at',
    downloading: 'Downloading with',
    verifying: 'Checking with',
    ready: 'Ready at',
  };
  return ({ stage, percent }) => {
    progress
      .update({
        stage: `${words[stage]} ${backend.name}`,
        detail,
        ...(percent === undefined ? {} : { percent }),
      })
      .catch((error: unknown) => {
        log.warning(`the progress could not be shown: ${error instanceof Error ? error.message : 'unknown'}`);
      });
  };
}

/** `direct_play`: prepares a bare URL; none of the person's credentials are added. */
export async function resolveDirect(
  playable: Playable,
  context: Pick<ResolveContext, 'properties' | 'progress' | 'signal'>,
  stages: Resolver,
): Promise<LocalStream> {
  const proxy = await stages.findProxy(context.properties, context.signal);
  await context.progress.update({ stage: 'Opening the stream', detail: playable.name });
  return await stages.prepareStream(playable, proxy, context.signal);
}
