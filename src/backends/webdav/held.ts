import { theirWords } from '../../io/their-words.ts';
import { deadlineSignal } from '../../io/wait.ts';
import type { Job } from '../../model/index.ts';
import type { SabApi } from '../sabnzbd/api.ts';
import type { Queue, Warning } from '../sabnzbd/schema.ts';
import type { Times } from './times.ts';

/** Milliseconds for an answer: the job is looked at meanwhile by nobody. */
const PATIENCE = 2_000;
/** Milliseconds: servers tell times in whole seconds. */
const SECOND = 1_000;

/** nzbdav holds a job whose provider it cannot reach for a minute each time, and tells nobody (protocols.md §1.5). */
export const doesNotBegin = (name: string): string =>
  `${name} does not begin; probably its provider cannot be reached. It may take a minute after the provider is back`;

/** A person has paused it. */
export const queuePaused = (name: string): string => `the queue of ${name} is paused; resume it there`;

interface Wait {
  /** When the submission was answered, as performance.now() has it. */
  readonly since: number;
  readonly times: Pick<Times, 'hold'>;
}

/**
 * Why a queued job waits, as far as it can be known from what the queue shows in one look after the other: somebody has
 * paused it; a server that warns of its provider says so (InfiniDysk, asked once); or nothing in it moves.
 */
export function heldBy(api: SabApi, job: Job, { since, times }: Wait) {
  const stillFor = standstill();
  let reason: Promise<string | undefined> | undefined;
  return async (queue: Queue, id: string, signal: AbortSignal): Promise<string | undefined> => {
    const still = stillFor(queue);
    if (queue.paused) return queuePaused(api.name);
    if (queue.slots.find((slot) => slot.id === id)?.status === 'paused')
      return `the job is paused in ${api.name}; resume it there`;
    if (still < times.hold.ask) {
      // What moves can be fetched: no warning of before counts any more.
      reason = undefined;
      return undefined;
    }
    if (api.tellsHolds) reason ??= providerTrouble(api, job, since, signal);
    const told = await reason;
    if (told !== undefined) return told;
    // A placeholder for a percentage never moves.
    const isLikely = api.showsPercent && queue.slots[0]?.id === id && still >= times.hold.tell;
    return isLikely ? doesNotBegin(api.name) : undefined;
  };
}

/** Milliseconds since which no slot is being fetched and no percentage moves. */
function standstill() {
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
async function providerTrouble(
  api: SabApi,
  job: Job,
  since: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const time = deadlineSignal(signal, PATIENCE, () => new Error('it took too long'));
  const warnings = await api.warnings(time.signal).catch(() => []);
  time.done();
  signal.throwIfAborted();
  const waited = performance.now() - since + SECOND;
  const ofJob = ({ text }: Warning) => text.includes(`queue item "${job.name}"`);
  // Of other jobs it says which they are.
  const ofProvider = ({ text, age = Infinity }: Warning) =>
    age <= waited && /\bproviders?\b/i.test(text) && !/queue item/i.test(text);
  const last = warnings.findLast(ofJob) ?? warnings.findLast(ofProvider);
  return last === undefined ? undefined : theirWords(/Reason: "([^"]+)"/.exec(last.text)?.[1] ?? last.text);
}
