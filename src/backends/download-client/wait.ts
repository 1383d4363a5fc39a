import { SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { Job, JobProgress } from '../../model/index.ts';
import type { FinishedJob, WaitOptions } from '../backend.ts';
import { jobTimeoutError, pollJob } from '../job/poll-job.ts';
import { monotonicProgress } from '../job/progress.ts';
import { belongsTo, isOwnName } from './find-job.ts';
import { finishedJob } from './finished.ts';
import { isBackup, isPlayable, jobFailed, jobLost, unrepairableError } from './outcome.ts';
import { adaptivePollPacer, progressOf } from './progress.ts';
import type { NzbgetApi } from './rpc.ts';
import type { Group, PastJob } from './rpc-schema.ts';
import type { NzbgetTimings } from './timings.ts';

/** A job that still waits at this look makes us ask whether the whole server is paused. */
const POLLS_BEFORE_PAUSE_CHECK = 5;

/** What one look found. */
type PollResult =
  | { readonly kind: 'finished'; readonly job: PastJob }
  | { readonly kind: 'running'; readonly progress: JobProgress }
  /** In neither list, or failed with a backup that NZBGet is about to take. */
  | { readonly kind: 'between'; readonly patience: number; readonly failure: SlipstreamError };

interface Context {
  readonly times: NzbgetTimings;
  readonly log: Logger;
}

/**
 * Looks at the job until it is ready; when it fails, at the backups of its name that NZBGet puts in its place.
 * @throws as Backend.waitUntilReady, and what NZBGet's last answer was
 */
export async function waitForJob(
  api: NzbgetApi,
  job: Job,
  { signal, timeout, onProgress }: WaitOptions,
  { times, log }: Context,
): Promise<FinishedJob> {
  const watch = createPoll(api, job, monotonicProgress(onProgress), times);
  const pace = adaptivePollPacer(times.poll);
  const watching = {
    backend: api,
    look: watch.look,
    silence: times.maxSilence,
    interval: () => pace.nextDelay(watch.progress()),
    tooLate: () => (watch.serverPaused() ? pausedError(api.name) : jobTimeoutError(api.name, timeout)),
  };
  return await pollJob(watching, { signal, timeout }, log);
}

/** One look after the other at the same job. */
function createPoll(api: NzbgetApi, job: Job, report: WaitOptions['onProgress'], times: NzbgetTimings) {
  let progress: JobProgress | undefined;
  let serverPaused = false;
  let looks = 0;
  let betweenSince: number | undefined;
  return {
    progress: () => progress,
    serverPaused: () => serverPaused,
    look: async (signal: AbortSignal): Promise<FinishedJob | undefined> => {
      const sight = await pollOnce(api, job, times, signal);
      if (sight.kind === 'between') {
        betweenSince ??= performance.now();
        if (performance.now() - betweenSince >= sight.patience) throw sight.failure;
        progress = undefined;
        return undefined;
      }
      betweenSince = undefined;
      if (sight.kind === 'finished') {
        report({ stage: 'ready', percent: 100 });
        return finishedJob(sight.job, job.name);
      }
      ({ progress } = sight);
      report(progress);
      if (progress.stage === 'queued' && ++looks === POLLS_BEFORE_PAUSE_CHECK)
        serverPaused = (await api.status(signal)).DownloadPaused;
      return undefined;
    },
  };
}

/**
 * The queue first: a job only moves from there to the history, and mostly one request is enough. What is ready is not
 * kept waiting by a second job of its name.
 */
async function pollOnce(
  api: NzbgetApi,
  job: Job,
  times: NzbgetTimings,
  signal: AbortSignal,
): Promise<PollResult> {
  const isOurs = belongsTo(job.name);
  const queued = (await api.groups(signal)).filter(({ names }) => isOurs(names));
  const isThis = ({ id }: { readonly id: number }) => String(id) === job.id;
  const running = queued.find(isThis) ?? queued[0];
  const isTwin = running !== undefined && !isThis(running) && isOwnName(job.name, running.names);
  if (running !== undefined && !isTwin) return runningResult(running);
  const past = (await api.history(signal)).filter(({ names }) => isOurs(names));
  const playable = past.filter(({ status }) => isPlayable(status));
  const ready = playable.find(isThis) ?? (isTwin ? undefined : playable[0]);
  if (ready !== undefined) return { kind: 'finished', job: ready };
  if (running !== undefined) return runningResult(running);
  const own = past.find(({ names }) => isOwnName(job.name, names));
  if (own === undefined && past.length === 0)
    return { kind: 'between', patience: times.maxAbsence, failure: jobLost() };
  const failed = past.find(({ status }) => !isBackup(status)) ?? own;
  const failure = failed === undefined ? jobLost() : jobFailed(own ?? failed);
  const backups = past.some((each) => each !== own && isBackup(each.status));
  return { kind: 'between', patience: backups ? times.promotion : 0, failure };
}

function runningResult(group: Group): PollResult {
  if (group.status === 'PAUSED' && group.health < group.criticalHealth) throw unrepairableError();
  return { kind: 'running', progress: progressOf(group) };
}

const pausedError = (name: string) =>
  new SlipstreamError('JOB_TIMEOUT', {
    what: `${name} is paused, so the release is not downloaded.`,
    next: `Resume the downloads in ${name}, or let Slipstream's downloads run even when paused (settings, NZBGet priority).`,
  });
