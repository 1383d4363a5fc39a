import { SlipstreamError } from '../../errors/index.ts';
import { poll } from '../../io/wait.ts';
import type { JobToRemove, Removal } from '../backend.ts';
import { Refused } from '../refusals.ts';

/** How a backend lets a job be removed. */
export interface JobRemoval<Found> {
  /** What messages call it. */
  readonly backend: { readonly name: string };
  /** Everything under the job's name; undefined: nothing. */
  readonly find: (signal: AbortSignal) => Promise<Found | undefined>;
  /** @returns what was refused */
  readonly delete: (found: Found, signal: AbortSignal) => Promise<SlipstreamError | undefined>;
}

interface Times {
  /** Between two looks for what may still be on its way. */
  readonly lostReply: number;
  /** How long the backend may take to let go of what it was told to delete; absent: it is gone at once. */
  readonly removal?: number;
}

/** A submission that was broken off may still be on its way into the queue when its removal is asked for. */
const FIND_ATTEMPTS = 2;
/** How often is looked whether a deleted job is gone. */
const GONE_CHECKS = 15;

/**
 * Removes what is found, and looks whether it is gone. A refusal counts only then: it may have meant that there was
 * nothing to delete.
 * @throws as Backend.remove
 */
export async function removeFound<Found>(
  removing: JobRemoval<Found>,
  { id }: JobToRemove,
  { signal, times }: { readonly signal: AbortSignal; readonly times: Times },
): Promise<Removal> {
  // An id says that the submission was answered: nothing is on its way any more.
  const found = await findWithRetry(removing, id === undefined ? FIND_ATTEMPTS : 1, signal, times);
  if (found === undefined) return 'absent';
  const patience = times.removal ?? 0;
  const since = performance.now();
  let refusal = await removing.delete(found, signal);
  const look = async (): Promise<Removal | undefined> => {
    const left = await removing.find(signal);
    if (left === undefined) return 'removed';
    if (refusal !== undefined || performance.now() - since >= patience)
      throw refusal ?? stillThereError(removing.backend.name);
    refusal = await removing.delete(left, signal);
    return undefined;
  };
  return (await poll(look, { signal, interval: () => patience / GONE_CHECKS })) ?? 'removed';
}

async function findWithRetry<Found>(
  { find }: JobRemoval<Found>,
  most: number,
  signal: AbortSignal,
  times: Times,
): Promise<Found | undefined> {
  let looks = 0;
  const look = async () => {
    const found = await find(signal);
    return found !== undefined || ++looks >= most ? { found } : undefined;
  };
  return (await poll(look, { signal, interval: () => times.lostReply }))?.found;
}

/** What a deletion was refused with; whatever else it fails of goes on. */
export async function refusalOf(deletion: Promise<unknown>): Promise<SlipstreamError | undefined> {
  try {
    await deletion;
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

const stillThereError = (name: string) =>
  new SlipstreamError('SERVICE_ERROR', {
    what: `${name} did not remove the job, though it did not refuse to.`,
    next: `Remove it in ${name}.`,
  });
