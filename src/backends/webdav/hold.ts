import { theirWords } from '../../io/their-words.ts';
import { deadlineSignal } from '../../io/wait.ts';
import type { Job } from '../../model/index.ts';
import type { SabApi } from '../sabnzbd/api.ts';

/** Milliseconds for an answer: the job is looked at meanwhile by nobody. */
const PATIENCE = 2_000;

/**
 * Why a queued job waits, where its server tells: InfiniDysk holds a job whose provider it cannot reach, and says so in its
 * warnings alone (protocols.md §1.5). It is asked now and then, the first time after `each` milliseconds. A server that
 * does not tell is undefined; while no answer comes, the last reason stands.
 */
export function holdOf(api: SabApi, job: Job, each: number) {
  let askedAt = performance.now();
  let reason: string | undefined;
  return async (signal: AbortSignal): Promise<string | undefined> => {
    if (!api.tellsHolds || performance.now() - askedAt < each) return reason;
    askedAt = performance.now();
    const time = deadlineSignal(signal, PATIENCE, () => new Error('it took too long'));
    const warnings = await api.warnings(time.signal).catch(() => undefined);
    time.done();
    signal.throwIfAborted();
    if (warnings === undefined) return reason;
    const last = warnings.findLast((text) => text.includes(`queue item "${job.name}"`));
    reason = last === undefined ? undefined : theirWords(/Reason: "([^"]+)"/.exec(last)?.[1] ?? last);
    return reason;
  };
}
