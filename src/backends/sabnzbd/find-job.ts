import type { SabApi } from './api.ts';

export interface FoundJob {
  readonly id: string;
  readonly category: string;
}

/** What a job is known by: its unique name and, where the backend has told it, its id. */
interface JobIdentity {
  readonly id?: string;
  readonly name: string;
}

/**
 * Every job of that name or id, waiting or finished; an id that is the name is AltMount's. The queue is asked first: a
 * job only moves from there to the history.
 */
export async function findJobs(
  api: SabApi,
  { id: wantedId, name }: JobIdentity,
  signal: AbortSignal,
): Promise<FoundJob[]> {
  const wantedName = name.normalize('NFC');
  const isOurs = (id: string, names: readonly string[]) =>
    id === wantedId || [id, ...names].some((other) => other.normalize('NFC') === wantedName);
  const queued = (await api.queue(signal)).slots.filter((slot) => isOurs(slot.id, [slot.name]));
  const finished = (await api.recentHistory(signal)).filter((slot) => isOurs(slot.id, slot.names));
  return [...queued, ...finished].map(({ id, category }) => ({ id, category }));
}
