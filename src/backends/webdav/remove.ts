import { poll } from '../../io/wait.ts';
import { findJobs } from './find-job.ts';
import type { SabApi } from './sab-api.ts';
import type { Times } from './times.ts';

/** A submission that was broken off may still be on its way into the queue when its removal is asked for. */
const LOOKS = 2;

/**
 * Removes a job from queue and history, with its files. The queue comes first: a job only moves from there to the
 * history, so it cannot slip through between the two.
 */
export async function removeJob(
  api: SabApi,
  job: { readonly id?: string; readonly name: string },
  { signal, times }: { signal: AbortSignal; times: Times },
): Promise<void> {
  const ids = job.id === undefined ? await idsOf(api, job.name, signal, times) : [job.id];
  for (const id of ids) {
    await api.deleteQueued(id, signal);
    await api.deleteFinished(id, signal);
  }
}

async function idsOf(api: SabApi, name: string, signal: AbortSignal, times: Times): Promise<string[]> {
  let looks = 0;
  const found = await poll(
    async () => {
      const jobs = await findJobs(api, name, signal);
      return jobs.length > 0 || ++looks >= LOOKS ? jobs : undefined;
    },
    { signal, interval: () => times.lostReply },
  );
  return (found ?? []).map(({ id }) => id);
}
