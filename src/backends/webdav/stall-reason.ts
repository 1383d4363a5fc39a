import { sanitizeExternalText } from '../../io/external-text.ts';
import { deadlineSignal } from '../../io/wait.ts';
import type { Job } from '../../model/index.ts';
import type { SabApi } from '../sabnzbd/api.ts';
import type { Queue, Warning } from '../sabnzbd/schema.ts';
import type { WebdavTimings } from './timings.ts';

/** Milliseconds for an answer: the job is looked at meanwhile by nobody. */
const ANSWER_TIMEOUT_MS = 2_000;
/** Milliseconds: servers tell times in whole seconds. */
const SECOND_MS = 1_000;

/** nzbdav holds a job whose provider it cannot reach for a minute each time, and tells nobody (protocols.md §1.5). */
export const stalledText = (name: string): string =>
  `${name} does not begin; probably its provider cannot be reached. It may take a minute after the provider is back`;

/** A person has paused it. */
export const queuePausedText = (name: string): string => `the queue of ${name} is paused; resume it there`;

interface StallContext {
  /** When the submission was answered, as performance.now() has it. */
  readonly submittedAt: number;
  readonly times: Pick<WebdavTimings, 'stallCheck'>;
}

/**
 * Why a queued job waits, as far as it can be known from what the queue shows in one look after the other: somebody has
 * paused it; a server that warns of its provider says so (InfiniDysk, asked once); or nothing in it moves.
 */
export function stallReason(api: SabApi, job: Job, { submittedAt: since, times }: StallContext) {
  const stillFor = stallDetector();
  let reason: Promise<string | undefined> | undefined;
  return async (queue: Queue, id: string, signal: AbortSignal): Promise<string | undefined> => {
    const still = stillFor(queue);
    if (queue.paused) return queuePausedText(api.name);
    if (queue.slots.find((slot) => slot.id === id)?.status === 'paused')
      return `the job is paused in ${api.name}; resume it there`;
    if (still < times.stallCheck.ask) {
      // What moves can be fetched: no warning of before counts any more.
      reason = undefined;
      return undefined;
    }
    if (api.hasWarnings) reason ??= providerProblem(api, job, since, signal);
    const told = await reason;
    if (told !== undefined) return told;
    // A placeholder for a percentage never moves.
    const isLikely = api.hasPercent && queue.slots[0]?.id === id && still >= times.stallCheck.tell;
    return isLikely ? stalledText(api.name) : undefined;
  };
}

/** Milliseconds since which no slot is being fetched and no percentage moves. */
function stallDetector() {
  let last: string | undefined;
  let from = 0;
  return ({ slots }: Queue): number => {
    const sight = slots.map(({ id, percent, truePercent }) => `${id} ${truePercent ?? percent}`).join();
    if (sight !== last || slots.some(({ status }) => status === 'downloading')) from = performance.now();
    last = sight;
    return performance.now() - from;
  };
}

/** What it warns of: of this job, else of its provider since the submission. @returns undefined also when it does not answer */
async function providerProblem(
  api: SabApi,
  job: Job,
  since: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const time = deadlineSignal(signal, ANSWER_TIMEOUT_MS, () => new Error('it took too long'));
  const warnings = await api.warnings(time.signal).catch(() => []);
  time.done();
  signal.throwIfAborted();
  const waited = performance.now() - since + SECOND_MS;
  const ofJob = ({ text }: Warning) => text.includes(`queue item "${job.name}"`);
  // Of other jobs it says which they are.
  const ofProvider = ({ text, age = Infinity }: Warning) =>
    age <= waited && /\bproviders?\b/i.test(text) && !/queue item/i.test(text);
  const last = warnings.findLast(ofJob) ?? warnings.findLast(ofProvider);
  return last === undefined
    ? undefined
    : sanitizeExternalText(/Reason: "([^"]+)"/.exec(last.text)?.[1] ?? last.text);
}
