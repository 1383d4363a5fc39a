import type { SabApi } from './sab-api.ts';

export interface FoundJob {
  readonly id: string;
  readonly category: string;
}

/** Every job of that name, waiting or finished. The queue is asked first: a job only moves from there to the history. */
export async function findJobs(api: SabApi, name: string, signal: AbortSignal): Promise<FoundJob[]> {
  const wanted = name.normalize('NFC');
  const isOurs = (other: string) => other.normalize('NFC') === wanted;
  const queued = (await api.queue(signal)).filter((slot) => isOurs(slot.name));
  const finished = (await api.recentHistory(signal)).filter((slot) => slot.names.some(isOurs));
  return [...queued, ...finished].map(({ id, category }) => ({ id, category }));
}
