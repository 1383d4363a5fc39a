import type { FinishedJob } from '../backend.ts';
import type { SabApi } from './sab-api.ts';
import type { HistorySlot } from './sab-schema.ts';

/** What the history calls completed, newest first, as Backend.finished. */
export async function finishedJobs(api: SabApi, signal: AbortSignal): Promise<readonly FinishedJob[]> {
  const slots = await api.recentHistory(signal);
  return slots.filter(({ status }) => status === 'completed').map(finishedJob);
}

function finishedJob({ id, names, category, storage, size, completed }: HistorySlot): FinishedJob {
  const name = names[0] ?? '';
  return {
    ...{ id, name, category, storage: storage === '' ? name : storage },
    ...(size !== undefined && { size }),
    ...(completed !== undefined && { finished: completed }),
  };
}
