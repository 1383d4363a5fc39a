import type { Logger } from '../../log/index.ts';
import type { Job, JobProgress } from '../../model/index.ts';
import type { FinishedJob, WaitOptions } from '../backend.ts';
import { jobTimeoutError, neverStartedError, pollJob } from '../job/poll-job.ts';
import { monotonicProgress } from '../job/progress.ts';
import type { SabApi } from '../sabnzbd/api.ts';
import { findJobs } from '../sabnzbd/find-job.ts';
import type { HistorySlot, Queue } from '../sabnzbd/schema.ts';
import { jobFailed, jobLost, newPlayFailures, type PlayFailures } from './failed-job.ts';
import { finishedJob } from './finished.ts';
import { progressOf, type StageEstimator, stageEstimator, stageOf } from './progress.ts';
import { stalledText, stallReason } from './stall-reason.ts';
import type { WebdavTimings } from './timings.ts';

/** The move from queue to history may hide a job from one look, never from two. */
const MAX_ABSENT_POLLS = 2;
/**
 * The queue shows how the job gets on. It is first asked in this look: before, a job that is ready is worth a look at the
 * history alone. Then in each fourth, while that tells nothing.
 */
const FIRST_QUEUE_POLL = 3;
const POLLS_PER_QUEUE_POLL = 4;
/** What one look found. */
type PollResult =
  | { readonly kind: 'finished'; readonly slot: HistorySlot }
  /** `queue`: in which it stands; absent: the history shows it already. */
  | { readonly kind: 'running'; readonly progress: JobProgress; readonly queue?: Queue }
  /** In neither list. */
  | { readonly kind: 'absent' }
  /** Not in the history; more was not asked. */
  | { readonly kind: 'unfinished' }
  /** The history would not tell. */
  | { readonly kind: 'unsaid' };

/** Looks at the job until it is ready. @throws as Backend.waitUntilReady, and what the backend's last answer was */
export async function waitForJob(
  api: SabApi,
  job: Job,
  { signal, timeout, onProgress, submittedAt: since = performance.now() }: WaitOptions,
  {
    times,
    log,
    failures = newPlayFailures(),
  }: { times: WebdavTimings; log: Logger; failures?: PlayFailures },
): Promise<FinishedJob> {
  const pace = stageEstimator(() => performance.now());
  let last: JobProgress | undefined;
  const report = monotonicProgress((progress) => {
    last = progress;
    onProgress(progress);
  });
  const held = stallReason(api, job, { submittedAt: since, times });
  const look = createPoll(api, job, { report, pace, stallReason: held, failures, log });
  const watch = {
    backend: api,
    look,
    silence: times.maxSilence,
    restsFirst: true,
    interval: () => times.poll({ waited: performance.now() - since, left: pace.left() }),
    tooLate: () => {
      if (last?.stage !== 'queued') return jobTimeoutError(api.name, timeout);
      return neverStartedError(
        api.name,
        timeout,
        last.stallReason === stalledText(api.name) ? '' : last.stallReason,
      );
    },
  };
  return await pollJob(watch, { signal, timeout }, log);
}

interface PollContext {
  readonly report: WaitOptions['onProgress'];
  readonly pace: StageEstimator;
  readonly stallReason: ReturnType<typeof stallReason>;
  readonly failures: PlayFailures;
  readonly log: Logger;
}

/**
 * One look after the other at the same job, under whatever id it goes. A look is one request, and a second one when
 * the job has left the queue.
 */
function createPoll(api: SabApi, job: Job, { report, pace, stallReason: held, failures, log }: PollContext) {
  let { id } = job;
  let looks = 0;
  let absent = 0;
  let inHistory = false;
  const asksQueue = () =>
    !inHistory &&
    (looks === FIRST_QUEUE_POLL ||
      looks % POLLS_PER_QUEUE_POLL === 0 ||
      absent > 0 ||
      pace.left() !== undefined);
  return async (signal: AbortSignal): Promise<FinishedJob | undefined> => {
    looks++;
    const sight = asksQueue() ? await pollBoth(api, id, signal) : await pollHistory(api, id, signal);
    switch (sight.kind) {
      case 'absent':
        if (++absent < MAX_ABSENT_POLLS) return undefined;
        id = await newIdOf(api, job, id, signal);
        log.info(`${api.name}: the job goes under another id now`);
        absent = 0;
        return undefined;
      case 'unfinished':
        inHistory = false;
        return undefined;
      case 'unsaid':
        return undefined;
      case 'running':
        absent = 0;
        inHistory = sight.queue === undefined;
        pace.observe(sight.progress);
        report(await withReason(sight, (queue) => held(queue, id, signal)));
        return undefined;
      case 'finished':
        if (sight.slot.status === 'failed') throw jobFailed(api.name, sight.slot.failMessage, failures);
        report({ stage: 'ready', percent: 100 });
        return { ...finishedJob(sight.slot, job), name: job.name };
    }
  };
}

/** Why it waits, where the queue tells. */
async function withReason(
  { progress, queue }: Extract<PollResult, { kind: 'running' }>,
  held: (queue: Queue) => Promise<string | undefined>,
): Promise<JobProgress> {
  const reason = queue === undefined ? undefined : await held(queue);
  return progress.stage === 'queued' && reason !== undefined
    ? { ...progress, stallReason: reason }
    : progress;
}

/** The queue first: a job only moves from there to the history, so it cannot be missed in between. */
async function pollBoth(api: SabApi, id: string, signal: AbortSignal): Promise<PollResult> {
  const queue = await api.queue(signal);
  const slot = queue.slots.find((other) => other.id === id);
  // AltMount's queue shows what is over as well; how it ended is told by the history.
  if (slot !== undefined && !FINISHED_STATUSES.has(slot.status))
    return { kind: 'running', progress: progressOf(slot, api.hasPercent), queue };
  const past = await pollHistory(api, id, signal);
  return past.kind === 'unfinished' && slot?.status !== 'completed' ? { kind: 'absent' } : past;
}

const FINISHED_STATUSES: ReadonlySet<string> = new Set(['completed', 'failed', 'deleted']);

/** SABnzbd lists jobs there that are still being unpacked. */
async function pollHistory(api: SabApi, id: string, signal: AbortSignal): Promise<PollResult> {
  const slot = await api.historyOf(id, signal);
  if (slot === undefined) return { kind: 'unfinished' };
  if (slot === 'unchanged') return { kind: 'unsaid' };
  if (slot.status === 'completed' || slot.status === 'failed') return { kind: 'finished', slot };
  // AltMount shows a job here from its submission on: as soon as it has a place it can be played (protocols.md §2.10).
  if (slot.status === 'unknown') return slot.storage === '' ? { kind: 'unsaid' } : { kind: 'finished', slot };
  return { kind: 'running', progress: { stage: stageOf(slot.status) } };
}

/** Replaced by a second submission of the same name, or renumbered: the unique name still tells. @throws JOB_FAILED */
async function newIdOf(api: SabApi, job: Job, oldId: string, signal: AbortSignal): Promise<string> {
  const other = (await findJobs(api, { name: job.name }, signal)).find(({ id }) => id !== oldId);
  if (other === undefined) throw jobLost(api.name);
  return other.id;
}
