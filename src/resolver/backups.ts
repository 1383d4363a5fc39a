import type { Backend, Nzb } from '../backends/backend.ts';
import type { Job, Release } from '../model/index.ts';
import type { ResolveContext } from './context.ts';
import type { ResolverStages } from './stages.ts';

/** For all of them together; a few small uploads to a machine nearby. */
const ADD_TIMEOUT_MS = 10_000;

/**
 * Gives the backend other posts of the release that is being downloaded, for it to take when that one fails, while
 * `work` goes on. Nothing of it may harm the play: what fails is logged. When the work ends no more are fetched, but what
 * is being handed over is handed over: whoever removes the job afterwards then finds all of it.
 */
export async function withBackups<T>(
  backend: Backend,
  job: Job,
  {
    release,
    reposts: twins,
    signal,
    log,
    limits,
  }: Pick<ResolveContext, 'reposts' | 'signal' | 'log' | 'limits'> & { readonly release: Release },
  stages: Pick<ResolverStages, 'fetchNzb'>,
  work: () => Promise<T>,
): Promise<T> {
  const releases = backend.addBackups === undefined ? [] : (twins?.(release) ?? []);
  if (releases.length === 0) return await work();
  const workEnded = new AbortController();
  const until = AbortSignal.any([signal, workEnded.signal]);
  const context = { stages, log, signal: until, ...(limits !== undefined && { limits }) };
  const adding = addBackups(releases, backend, job, context).catch((error: unknown) => {
    if (!until.aborted) log.warning(`no backups at ${backend.name}: ${String(error)}`);
  });
  try {
    return await work();
  } finally {
    workEnded.abort(new Error('the job has ended'));
    await adding;
  }
}

async function addBackups(
  releases: readonly Release[],
  backend: Backend,
  job: Job,
  context: Pick<ResolveContext, 'signal' | 'log' | 'limits'> & {
    readonly stages: Pick<ResolverStages, 'fetchNzb'>;
  },
): Promise<void> {
  const { stages, signal, log, limits } = context;
  const nzbs: Nzb[] = [];
  for (const release of releases) {
    const nzb = await stages.fetchNzb(release, { signal, log, limits }).catch((error: unknown) => {
      signal.throwIfAborted();
      log.warning(`a backup cannot be fetched: ${String(error)}`);
      return undefined;
    });
    if (nzb !== undefined) nzbs.push(nzb);
  }
  signal.throwIfAborted();
  if (nzbs.length > 0) await backend.addBackups?.(nzbs, job, AbortSignal.timeout(ADD_TIMEOUT_MS));
}
