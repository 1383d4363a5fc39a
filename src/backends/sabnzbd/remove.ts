import { SlipstreamError } from '../../errors/index.ts';
import { poll } from '../../io/wait.ts';
import type { JobToRemove, Removal } from '../backend.ts';
import { type FoundJob, findJobs } from './find-job.ts';
import type { RemoveFiles } from './remove-files.ts';
import { Refused } from './sab-answer.ts';
import type { SabApi } from './sab-api.ts';
import type { Times } from './times.ts';

/** A submission that was broken off may still be on its way into the queue when its removal is asked for. */
const LOOKS = 2;

/**
 * Removes a job from queue and history, with its files. The id alone is not believed: the job may have been renumbered,
 * or sent twice, so whatever goes under its unique name is removed as well.
 * @throws as Backend.remove
 */
export async function removeJob(
  api: SabApi,
  job: JobToRemove,
  { signal, times, removeFiles }: { signal: AbortSignal; times: Times; removeFiles: RemoveFiles },
): Promise<Removal> {
  const found = await lookFor(api, job, signal, times);
  // The history may be longer than what is looked through.
  const unseen = job.id !== undefined && found.every(({ id }) => id !== job.id);
  const all = unseen ? [...found, { id: job.id, category: job.category ?? '' }] : found;
  let refusal: SlipstreamError | undefined;
  // AltMount shows what is over in both lists for a moment.
  for (const each of new Map(all.map((one) => [one.id, one])).values())
    refusal = (await removeOne(api, each, signal, () => removeFiles(each, job.name, signal))) ?? refusal;
  if (found.length === 0) return 'absent';
  if ((await findJobs(api, job, signal)).length > 0) throw refusal ?? stillThere(api.name);
  return 'removed';
}

async function lookFor(
  api: SabApi,
  job: JobToRemove,
  signal: AbortSignal,
  times: Times,
): Promise<FoundJob[]> {
  let looks = 0;
  const look = async () => {
    const found = await findJobs(api, job, signal);
    // An id says that the submission was answered: nothing is on its way any more.
    return found.length > 0 || job.id !== undefined || ++looks >= LOOKS ? found : undefined;
  };
  return (await poll(look, { signal, interval: () => times.lostReply })) ?? [];
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
  removeFiles: () => Promise<void>,
): Promise<SlipstreamError | undefined> {
  const ofQueue = await refusalOf(api.deleteQueued(id, signal));
  await removeFiles();
  const ofHistory = await refusalOf(api.deleteFinished(id, signal));
  return ofHistory ?? ofQueue;
}

async function refusalOf(deletion: Promise<void>): Promise<SlipstreamError | undefined> {
  try {
    await deletion;
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

function stillThere(name: string): SlipstreamError {
  return new SlipstreamError('SERVICE_ERROR', {
    what: `${name} did not remove the job, though it did not refuse to.`,
    next: `Remove it in ${name}.`,
  });
}
