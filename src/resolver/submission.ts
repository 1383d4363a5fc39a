import type { Nzb } from '../backends/backend.ts';
import type { ManagerUnavailable } from '../backends/nzb/manager-unavailable.ts';
import { OutOfReach } from '../backends/nzb/out-of-reach.ts';
import type { Job, MediaRequest, Release } from '../model/index.ts';
import type { ResolveContext } from './context.ts';
import type { ResolverStages } from './stages.ts';

type ObtainStages = Pick<ResolverStages, 'fetchNzb' | 'waitForManager' | 'submit'>;

/** How a release becomes a job: by its NZB, or by an address at which the backend fetches it. */
export interface Submission {
  readonly release: Release;
  /** What is shown while it is submitted. */
  readonly stage: string;
  /** As Nzb.articleBytes. */
  readonly articleBytes?: number | undefined;
  /** As Nzb.videoBytes. */
  readonly videoBytes?: number | undefined;
  /** As Backend.submit. */
  readonly submit: (jobName: string, signal: AbortSignal) => Promise<Job>;
}

/** Fetches the NZB, or leaves it to the backend where only that may get it and the person lets it. @throws as fetchNzb */
export async function prepareSubmission(
  release: Release,
  request: MediaRequest,
  context: ResolveContext,
  stages: ObtainStages,
): Promise<Submission> {
  const { backend, signal } = context;
  try {
    const nzb = await fetchNzbFor(release, request, context, stages);
    const { articleBytes, videoBytes } = nzb;
    return {
      release,
      articleBytes,
      videoBytes,
      stage: `Handing it to ${backend.name}`,
      submit: (jobName, until) => stages.submit(backend, nzb, jobName, request, until),
    };
  } catch (error) {
    signal.throwIfAborted();
    const delegated =
      error instanceof OutOfReach ? await delegateFetch(error, release, request, context) : undefined;
    if (delegated === undefined) throw error;
    return delegated;
  }
}

async function fetchNzbFor(
  release: Release,
  request: MediaRequest,
  context: ResolveContext,
  stages: ObtainStages,
): Promise<Nzb> {
  const { backend, progress, signal, log, limits } = context;
  const show = () =>
    progress.update({ stage: `Fetching the NZB from ${release.links[0].indexer}`, detail: release.name });
  await show();
  const toStream = backend.repairs === true ? undefined : request;
  const untilBack = async (away: ManagerUnavailable) => {
    await stages.waitForManager(away, context);
    await show();
  };
  return await stages.fetchNzb(release, { toStream, signal, log, limits, waitForManager: untilBack });
}

/** undefined: the backend cannot, or may not. */
async function delegateFetch(
  error: OutOfReach,
  release: Release,
  request: MediaRequest,
  { backend, mayBackendFetch: mayFetchItself, log }: ResolveContext,
): Promise<Submission | undefined> {
  const { submitAddress } = backend;
  const { password } = release;
  if (submitAddress === undefined || (await mayFetchItself?.(error)) !== true) return undefined;
  log.info(`${backend.name} is to fetch the NZB itself: ${error.message}`);
  return {
    release,
    stage: `Waiting until ${backend.name} has fetched the NZB`,
    submit: (jobName, until) => submitAddress({ url: error.link.url, password }, jobName, request, until),
  };
}
