import { pause } from '../../io/wait.ts';
import type { JobToRemove, Removal } from '../backend.ts';
import { ApiMissing } from '../sabnzbd/answer.ts';
import { type SabApi, sabApi } from '../sabnzbd/api.ts';
import { findJobs } from '../sabnzbd/find-job.ts';
import { removeJob } from '../sabnzbd/remove.ts';
import { ALTMOUNT_API, knownServer } from '../sabnzbd/server.ts';
import type { DirectStreamTimings } from './timings.ts';

/** AltMount's SABnzbd endpoint, which lists the queue of its orders as well. */
export const altMountQueue = (
  base: string,
  apiKey: string,
  { upload: submit, request }: DirectStreamTimings,
): SabApi => sabApi(knownServer(base, apiKey, ALTMOUNT_API), { submit, request });

/**
 * Removes what AltMount has queued or made of an order. Where that endpoint is switched off (protocols.md §2.10), AltMount
 * lets nothing be removed, and there is nothing of ours to be found.
 * @throws as Backend.remove
 */
export async function removeFromQueue(
  queue: SabApi,
  { name }: JobToRemove,
  {
    signal,
    times: { retryInterval: lostReply },
  }: { readonly signal: AbortSignal; readonly times: DirectStreamTimings },
): Promise<Removal> {
  try {
    // The id is ours, not AltMount's, and says nothing of whether the order has arrived there.
    return await removeJob(queue, { name }, { signal, times: { lostReply } });
  } catch (error) {
    if (error instanceof ApiMissing && (await isSwitchedOff(queue, name, lostReply, signal))) return 'absent';
    throw error;
  }
}

/** Whatever stands in front of a server that is restarting says the same, for as long as that takes. */
async function isSwitchedOff(
  queue: SabApi,
  name: string,
  after: number,
  signal: AbortSignal,
): Promise<boolean> {
  await pause(after, signal);
  try {
    await findJobs(queue, { name }, signal);
    return false;
  } catch (error) {
    if (error instanceof ApiMissing) return true;
    throw error;
  }
}
