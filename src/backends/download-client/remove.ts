import type { SlipstreamError } from '../../errors/index.ts';
import type { JobToRemove, Removal } from '../backend.ts';
import { refusalOf, removeFound } from '../job/remove.ts';
import { type FoundJobs, findJob } from './find-job.ts';
import { isDuplicateRejected } from './outcome.ts';
import type { EditCommand, NzbgetApi } from './rpc.ts';
import type { NzbgetTimings } from './timings.ts';

/**
 * Removes a job and its backups from queue and history, with their files: everything under its unique name.
 * @throws as Backend.remove
 */
export async function removeJob(
  api: NzbgetApi,
  job: JobToRemove,
  { signal, times }: { signal: AbortSignal; times: NzbgetTimings },
): Promise<Removal> {
  const removing = {
    backend: api,
    find: async () => {
      const found = await findJob(api, job.name, signal);
      return found.queued.length + found.past.length > 0 ? found : undefined;
    },
    // What is just being downloaded goes only when its connections have ended.
    delete: (found: FoundJobs) => deleteAll(api, found, signal),
  };
  return await removeFound(removing, job, { signal, times });
}

/**
 * Waiting backups go first, so that none takes the place of what is deleted. NZBGet deletes the files of what is in its
 * queue, but leaves those in the history where they are, also a failure's (protocols.md §4.5): asked to load it again, it
 * deletes them and puts the job into the queue, where it ends for good.
 * @returns the last refusal
 */
export async function deleteAll(
  api: NzbgetApi,
  { queued, past }: FoundJobs,
  signal: AbortSignal,
): Promise<SlipstreamError | undefined> {
  const ids = (jobs: readonly { readonly id: number }[]) => jobs.map(({ id }) => id);
  const neverLoaded = past.filter(({ status }) => isDuplicateRejected(status));
  const ended = past.filter((job) => !neverLoaded.includes(job));
  const steps: readonly (readonly [EditCommand, readonly number[]])[] = [
    ['HistoryFinalDelete', ids(neverLoaded)],
    ['HistoryRedownload', ids(ended)],
    ['GroupFinalDelete', ids([...queued, ...ended])],
    // What has moved on, or could not be loaded again, is deleted where it stands.
    ['HistoryFinalDelete', ids([...queued, ...ended])],
  ];
  let refusal: SlipstreamError | undefined;
  // "Nothing to edit" is no refusal: the job may have moved.
  for (const [command, which] of steps)
    if (which.length > 0) refusal = (await refusalOf(api.edit(command, which, signal))) ?? refusal;
  return refusal;
}
