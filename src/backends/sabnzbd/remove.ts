import type { SlipstreamError } from '../../errors/index.ts';
import type { JobToRemove, Removal } from '../backend.ts';
import { refusalOf, removeFound } from '../job/remove.ts';
import type { SabApi } from './api.ts';
import { type FoundJob, findJobs } from './find-job.ts';

interface Context {
  readonly signal: AbortSignal;
  /** Milliseconds; as submitOnce. */
  readonly times: { readonly lostReply: number };
  /** Deletes the files that the server would leave; absent: nobody can. */
  readonly removeFiles?: (job: FoundJob, name: string, signal: AbortSignal) => Promise<void>;
}

/**
 * Removes a job from queue and history, with its files. The id alone is not believed: the job may have been renumbered,
 * or sent twice, so whatever goes under its unique name is removed as well.
 * @throws as Backend.remove
 */
export async function removeJob(
  api: SabApi,
  job: JobToRemove,
  { signal, times, removeFiles }: Context,
): Promise<Removal> {
  const deleteAll = async (found: readonly FoundJob[]) => {
    let refusal: SlipstreamError | undefined;
    for (const each of withUnlisted(found, job))
      refusal = (await removeOne(api, each, signal, () => removeFiles?.(each, job.name, signal))) ?? refusal;
    return refusal;
  };
  const find = async () => {
    const found = await findJobs(api, job, signal);
    return found.length === 0 ? undefined : found;
  };
  const removing = { backend: api, find, delete: deleteAll };
  const outcome = await removeFound(removing, job, { signal, times });
  if (outcome === 'absent') await deleteAll([]);
  return outcome;
}

/** The history may be longer than what is looked through. AltMount shows what is over in both lists for a moment. */
function withUnlisted(found: readonly FoundJob[], { id, category = '' }: JobToRemove): readonly FoundJob[] {
  const unseen = id !== undefined && found.every((each) => each.id !== id);
  const all = unseen ? [...found, { id, category }] : found;
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

/**
 * The queue comes first: a job only moves from there to the history, so it cannot slip through between the two. The
 * history comes last: as long as the files are there, the job is found again.
 * @returns the refusal, which may only mean that there was nothing to delete (SABnzbd)
 */
async function removeOne(
  api: SabApi,
  { id }: FoundJob,
  signal: AbortSignal,
  removeFiles: () => Promise<void> | undefined,
): Promise<SlipstreamError | undefined> {
  const ofQueue = await refusalOf(api.deleteQueued(id, signal));
  await removeFiles();
  const ofHistory = await refusalOf(api.deleteFinished(id, signal));
  return ofHistory ?? ofQueue;
}
