import { asSlipstreamError, type ErrorCode, SlipstreamError } from '../../errors/index.ts';
import { deadlineSignal, poll } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { Job, JobProgress } from '../../model/index.ts';
import type { FinishedJob, WaitOptions } from '../backend.ts';
import { jobFailed, jobLost } from './failed-job.ts';
import { findJobs } from './find-job.ts';
import type { SabApi } from './sab-api.ts';
import type { HistorySlot, QueueSlot } from './sab-schema.ts';
import type { Times } from './times.ts';

/** The move from queue to history may hide a job from one look, never from two. */
const MAX_ABSENT_LOOKS = 2;
/** Failures that looking again does not heal. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['AUTH_FAILED', 'JOB_FAILED', 'TOO_LARGE', 'INTERNAL']);

/** What one look found. */
type Sight =
  | { readonly kind: 'finished'; readonly slot: HistorySlot }
  | { readonly kind: 'running'; readonly progress: JobProgress }
  | { readonly kind: 'absent' };

/** Looks at the job until it is ready. @throws as Backend.waitUntilReady, and what the backend's last answer was */
export async function waitForJob(
  api: SabApi,
  job: Job,
  { signal, timeout, onProgress }: WaitOptions,
  { times, log }: { times: Times; log: Logger },
): Promise<FinishedJob> {
  const tooLate = () => jobTimeout(api.name, timeout);
  const limit = deadlineSignal(signal, timeout, tooLate);
  const watch = watcher(api, job, onChange(onProgress), log);
  let lastAnswer = performance.now();
  const look = async (): Promise<FinishedJob | undefined> => {
    try {
      const finished = await watch(limit.signal);
      lastAnswer = performance.now();
      return finished;
    } catch (error) {
      limit.signal.throwIfAborted();
      const failure = asSlipstreamError(error);
      if (FINAL.has(failure.code) || performance.now() - lastAnswer > times.silence) throw failure;
      log.debug(`${api.name}: no good answer about the job: ${failure.message}`);
      return undefined;
    }
  };
  try {
    const finished = await poll(look, { signal: limit.signal, interval: times.poll });
    if (finished === undefined) throw tooLate();
    return finished;
  } finally {
    limit.done();
  }
}

/** One look after the other at the same job, under whatever id it goes. */
function watcher(api: SabApi, job: Job, report: WaitOptions['onProgress'], log: Logger) {
  let { id } = job;
  let absent = 0;
  return async (signal: AbortSignal): Promise<FinishedJob | undefined> => {
    const sight = await lookAt(api, id, signal);
    switch (sight.kind) {
      case 'absent':
        if (++absent < MAX_ABSENT_LOOKS) return undefined;
        id = await newIdOf(api, job, id, signal);
        log.info(`${api.name}: the job goes under another id now`);
        absent = 0;
        return undefined;
      case 'running':
        absent = 0;
        report(sight.progress);
        return undefined;
      case 'finished':
        if (sight.slot.status === 'failed') throw jobFailed(api.name, sight.slot.failMessage);
        report({ stage: 'ready', percent: 100 });
        return finishedJob(job, sight.slot);
    }
  };
}

/** The history first: a finished job is what we wait for. SABnzbd lists jobs there that are still being unpacked. */
async function lookAt(api: SabApi, id: string, signal: AbortSignal): Promise<Sight> {
  const past = await api.historyOf(id, signal);
  if (past?.status === 'completed' || past?.status === 'failed') return { kind: 'finished', slot: past };
  if (past !== undefined) return { kind: 'running', progress: { stage: 'verifying' } };
  const slot = (await api.queue(signal)).find((other) => other.id === id);
  return slot === undefined ? { kind: 'absent' } : { kind: 'running', progress: progressOf(slot) };
}

/** Replaced by a second submission of the same name, or renumbered: the unique name still tells. @throws JOB_FAILED */
async function newIdOf(api: SabApi, job: Job, oldId: string, signal: AbortSignal): Promise<string> {
  const other = (await findJobs(api, { name: job.name }, signal)).find(({ id }) => id !== oldId);
  if (other === undefined) throw jobLost(api.name);
  return other.id;
}

/**
 * nzbdav's `percentage` wraps around at 100, `true_percentage` goes on: up to 100 the articles are fetched, above they
 * are checked (protocols.md §1.5).
 */
export function progressOf({ status, percent, truePercent }: QueueSlot): JobProgress {
  if (status === 'queued' || status === 'paused' || status === 'propagating') return { stage: 'queued' };
  if (truePercent === undefined)
    return { stage: 'downloading', ...(percent === undefined ? {} : { percent: clampPercent(percent) }) };
  return truePercent <= 100
    ? { stage: 'downloading', percent: clampPercent(truePercent) }
    : { stage: 'verifying', percent: clampPercent(truePercent - 100) };
}

const clampPercent = (value: number) => Math.min(100, Math.max(0, value));

/** A completed job without `storage` lies in the folder of its name. */
function finishedJob(job: Job, slot: HistorySlot): FinishedJob {
  return {
    id: slot.id,
    name: job.name,
    category: slot.category === '' ? job.category : slot.category,
    storage: slot.storage === '' ? (slot.names[0] ?? job.name) : slot.storage,
  };
}

function onChange(onProgress: WaitOptions['onProgress']): (progress: JobProgress) => void {
  let last: JobProgress | undefined;
  return (progress) => {
    if (progress.stage === last?.stage && progress.percent === last.percent) return;
    last = progress;
    onProgress(progress);
  };
}

function jobTimeout(name: string, timeout: number): SlipstreamError {
  return new SlipstreamError('JOB_TIMEOUT', {
    what: `${name} did not get the release ready within ${Math.ceil(timeout / 1000)} seconds.`,
    next: 'Try another release, or allow more time in the settings under Playback.',
  });
}
