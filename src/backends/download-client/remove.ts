import { SlipstreamError } from '../../errors/index.ts';
import { poll } from '../../io/wait.ts';
import type { JobToRemove, Removal } from '../backend.ts';
import { type Found, findJob } from './find-job.ts';
import { isPlayable } from './outcome.ts';
import { type EditCommand, type NzbgetApi, Refused } from './rpc.ts';
import type { Times } from './times.ts';

/** A submission that was broken off may still be on its way into the queue when its removal is asked for. */
const LOOKS = 2;
/** How often is looked whether a deleted job is gone. */
const CHECKS = 15;

/**
 * Removes a job and its backups from queue and history, with their files: everything under its unique name.
 * @throws as Backend.remove
 */
export async function removeJob(
  api: NzbgetApi,
  job: JobToRemove,
  { signal, times }: { signal: AbortSignal; times: Times },
): Promise<Removal> {
  const found = await lookFor(api, job, signal, times);
  if (isEmpty(found)) return 'absent';
  let refusal = await deleteAll(api, found, signal);
  const since = performance.now();
  // What is just being downloaded goes only when its connections have ended.
  const look = async (): Promise<Removal | undefined> => {
    const left = await findJob(api, job.name, signal);
    if (isEmpty(left)) return 'removed';
    if (refusal !== undefined || performance.now() - since >= times.removal)
      throw refusal ?? stillThere(api.name);
    refusal = await deleteAll(api, left, signal);
    return undefined;
  };
  return (await poll(look, { signal, interval: () => times.removal / CHECKS })) ?? 'removed';
}

const isEmpty = ({ queued, past }: Found) => queued.length === 0 && past.length === 0;

async function lookFor(
  api: NzbgetApi,
  { id, name }: JobToRemove,
  signal: AbortSignal,
  times: Times,
): Promise<Found> {
  let looks = 0;
  const look = async () => {
    const found = await findJob(api, name, signal);
    // An id says that the submission was answered: nothing is on its way any more.
    return !isEmpty(found) || id !== undefined || ++looks >= LOOKS ? found : undefined;
  };
  const found = await poll(look, { signal, interval: () => times.lostReply });
  return found ?? { queued: [], past: [] };
}

/**
 * Waiting backups go first, so that none takes the place of what is deleted. NZBGet deletes the files of what is in its
 * queue, but leaves those of a success in the history where they are: asked to load it again, it deletes them and puts
 * the job into the queue, where it ends for good.
 * @returns the last refusal
 */
async function deleteAll(
  api: NzbgetApi,
  { queued, past }: Found,
  signal: AbortSignal,
): Promise<SlipstreamError | undefined> {
  const ids = (jobs: readonly { readonly id: number }[]) => jobs.map(({ id }) => id);
  const successes = past.filter(({ status }) => isPlayable(status));
  const others = past.filter((job) => !successes.includes(job));
  const steps: readonly (readonly [EditCommand, readonly number[]])[] = [
    ['HistoryFinalDelete', ids(others)],
    ['HistoryRedownload', ids(successes)],
    ['GroupFinalDelete', ids([...queued, ...successes])],
    // What has moved on, or could not be loaded again, is deleted where it stands.
    ['HistoryFinalDelete', ids([...queued, ...successes])],
  ];
  let refusal: SlipstreamError | undefined;
  for (const [command, which] of steps)
    if (which.length > 0) refusal = (await refusalOf(api.edit(command, which, signal))) ?? refusal;
  return refusal;
}

/** "Nothing to edit" is no refusal: the job may have moved. */
async function refusalOf(edit: Promise<boolean>): Promise<SlipstreamError | undefined> {
  try {
    await edit;
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
