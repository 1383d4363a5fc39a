import type { Logger } from '../../log/index.ts';
import type { Job, JobProgress } from '../../model/index.ts';
import type { FinishedJob, WaitOptions } from '../backend.ts';
import { onlyForward } from '../job/progress.ts';
import { jobTimeout, neverBegun, watchJob } from '../job/wait.ts';
import type { SabApi } from '../sabnzbd/api.ts';
import { findJobs } from '../sabnzbd/find-job.ts';
import type { HistorySlot, Queue } from '../sabnzbd/schema.ts';
import { jobFailed, jobLost, noFailures, type PlayFailures } from './failed-job.ts';
import { finishedJob } from './finished.ts';
import { doesNotBegin, heldBy } from './held.ts';
import { type Pacer, pacer, progressOf, stageOf } from './progress.ts';
import type { Times } from './times.ts';

/** The move from queue to history may hide a job from one look, never from two. */
const MAX_ABSENT_LOOKS = 2;
/**
 * The queue shows how the job gets on. It is first asked in this look: before, a job that is ready is worth a look at the
 * history alone. Then in each fourth, while that tells nothing.
 */
const FIRST_QUEUE_LOOK = 3;
const QUEUE_EACH = 4;
/** What one look found. */
type Sight =
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
  { signal, timeout, onProgress, since = performance.now() }: WaitOptions,
  { times, log, failures = noFailures() }: { times: Times; log: Logger; failures?: PlayFailures },
): Promise<FinishedJob> {
  const pace = pacer(() => performance.now());
  let last: JobProgress | undefined;
  const report = onlyForward((progress) => {
    last = progress;
    onProgress(progress);
  });
  const held = heldBy(api, job, { since, times });
  const look = watcher(api, job, { report, pace, held, failures, log });
  const watch = {
    ...{ backend: api, look, silence: times.silence, restsFirst: true },
    interval: () => times.poll({ waited: performance.now() - since, left: pace.left() }),
    tooLate: () => {
      if (last?.stage !== 'queued') return jobTimeout(api.name, timeout);
      return neverBegun(api.name, timeout, last.held === doesNotBegin(api.name) ? '' : last.held);
    },
  };
  return await watchJob(watch, { signal, timeout }, log);
}

interface Watch {
  readonly report: WaitOptions['onProgress'];
  readonly pace: Pacer;
  readonly held: ReturnType<typeof heldBy>;
  readonly failures: PlayFailures;
  readonly log: Logger;
}

/**
 * One look after the other at the same job, under whatever id it goes. A look is one request, and a second one when
 * the job has left the queue.
 */
function watcher(api: SabApi, job: Job, { report, pace, held, failures, log }: Watch) {
  let { id } = job;
  let looks = 0;
  let absent = 0;
  let inHistory = false;
  const asksQueue = () =>
    !inHistory &&
    (looks === FIRST_QUEUE_LOOK || looks % QUEUE_EACH === 0 || absent > 0 || pace.left() !== undefined);
  return async (signal: AbortSignal): Promise<FinishedJob | undefined> => {
    looks++;
    const sight = asksQueue() ? await lookAtBoth(api, id, signal) : await lookAtHistory(api, id, signal);
    switch (sight.kind) {
      case 'absent':
        if (++absent < MAX_ABSENT_LOOKS) return undefined;
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
        pace.seen(sight.progress);
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
  { progress, queue }: Extract<Sight, { kind: 'running' }>,
  held: (queue: Queue) => Promise<string | undefined>,
): Promise<JobProgress> {
  const reason = queue === undefined ? undefined : await held(queue);
  return progress.stage === 'queued' && reason !== undefined ? { ...progress, held: reason } : progress;
}

/** The queue first: a job only moves from there to the history, so it cannot be missed in between. */
async function lookAtBoth(api: SabApi, id: string, signal: AbortSignal): Promise<Sight> {
  const queue = await api.queue(signal);
  const slot = queue.slots.find((other) => other.id === id);
  // AltMount's queue shows what is over as well; how it ended is told by the history.
  if (slot !== undefined && !OVER.has(slot.status))
    return { kind: 'running', progress: progressOf(slot, api.showsPercent), queue };
  const past = await lookAtHistory(api, id, signal);
  return past.kind === 'unfinished' && slot?.status !== 'completed' ? { kind: 'absent' } : past;
}

const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'deleted']);

/** SABnzbd lists jobs there that are still being unpacked. */
async function lookAtHistory(api: SabApi, id: string, signal: AbortSignal): Promise<Sight> {
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
