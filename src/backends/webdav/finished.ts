import type { Job } from '../../model/index.ts';
import type { FinishedJob } from '../backend.ts';
import type { SabApi } from '../sabnzbd/api.ts';
import type { HistorySlot } from '../sabnzbd/schema.ts';

/** What the history calls completed, newest first, as Backend.finishedJobs. */
export async function finishedJobs(api: SabApi, signal: AbortSignal): Promise<readonly FinishedJob[]> {
  const slots = await api.recentHistory(signal);
  return slots.filter(({ status }) => status === 'completed').map((slot) => finishedJob(slot));
}

/** A completed job without `storage` lies in the folder of its name. @param job What is known where the slot is silent. */
export function finishedJob(
  { id, names, category, storage, size, completed }: HistorySlot,
  job?: Job,
): FinishedJob {
  const name = names[0] ?? job?.name ?? id;
  return {
    id,
    name,
    category: category === '' ? (job?.category ?? '') : category,
    storage: storage === '' ? name : storage,
    ...(size !== undefined && { size }),
    ...(completed !== undefined && { finished: completed }),
  };
}
