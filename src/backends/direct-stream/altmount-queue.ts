import type { JobToRemove, Removal } from '../backend.ts';
import { NoApi } from '../sabnzbd/answer.ts';
import { sabApi } from '../sabnzbd/api.ts';
import { removeJob } from '../sabnzbd/remove.ts';
import { ALTMOUNT_API, knownServer } from '../sabnzbd/server.ts';
import type { Times } from './times.ts';

interface Options {
  readonly base: string;
  readonly apiKey: string;
  readonly times: Times;
}

/**
 * Removes what AltMount has queued or made of an order, by its SABnzbd endpoint, which lists the same queue. Where that is
 * switched off (protocols.md §2.10), AltMount lets nothing be removed, and there is nothing of ours to be found.
 * @throws as Backend.remove
 */
export async function removeFromAltMount(
  { base, apiKey, times }: Options,
  { name }: JobToRemove,
  signal: AbortSignal,
): Promise<Removal> {
  const { upload: submit, request, again: lostReply } = times;
  const api = sabApi(knownServer(base, apiKey, ALTMOUNT_API), { submit, request });
  try {
    // The id is ours, not AltMount's, and says nothing of whether the order has arrived there.
    return await removeJob(api, { name }, { signal, times: { lostReply } });
  } catch (error) {
    if (error instanceof NoApi) return 'absent';
    throw error;
  }
}
