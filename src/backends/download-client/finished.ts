import type { FinishedJob } from '../backend.ts';
import { isPlayable } from './outcome.ts';
import type { NzbgetApi } from './rpc.ts';
import type { PastJob } from './rpc-schema.ts';

/** What the history calls playable, newest first, as Backend.finishedJobs. */
export async function finishedJobs(api: NzbgetApi, signal: AbortSignal): Promise<readonly FinishedJob[]> {
  return (await playableJobs(api, signal)).map((job) => finishedJob(job));
}

/** The same as NZBGet tells them. */
export async function playableJobs(api: NzbgetApi, signal: AbortSignal): Promise<readonly PastJob[]> {
  const past = await api.history(signal);
  return past
    .filter(({ status, folder }) => isPlayable(status) && folder !== '')
    .sort((a, b) => b.finished - a.finished);
}

/** @param name Under which it is known to us; absent: as NZBGet calls it. */
export function finishedJob(
  { id, names, category, folder, size, finished }: PastJob,
  name = names[0] ?? '',
): FinishedJob {
  return {
    id: String(id),
    name,
    category,
    storage: folder,
    ...(size > 0 && { size }),
    ...(finished > 0 && { finished }),
  };
}
