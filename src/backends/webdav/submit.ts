import { SlipstreamError } from '../../errors/index.ts';
import { poll } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { Job } from '../../model/index.ts';
import { type FoundJob, findJobs } from './find-job.ts';
import { Refused } from './sab-answer.ts';
import type { NzbFile, SabApi } from './sab-api.ts';
import type { Times } from './times.ts';

/** Sending the same NZB more often does not help, and the person waits. */
const ATTEMPTS = 2;
/** How often a job whose submission was not answered is looked for. */
const LOOKS = 3;

/**
 * Submits the NZB so that there is one job, whatever happens to the answer: one that does not arrive, makes no sense or
 * speaks of a fault (5xx) leaves open whether the job was taken, so it is looked for by its name. An NZB that has left us
 * whole is not sent again even if nothing is found: it may still be on its way, and would become a second job.
 */
export async function submitJob(
  api: SabApi,
  file: NzbFile,
  { signal, times, log }: { signal: AbortSignal; times: Times; log: Logger },
): Promise<Job> {
  const { jobName, category } = file;
  const upload = { isWhole: false };
  const onSent = () => {
    upload.isWhole = true;
  };
  for (let attempt = 1; ; attempt++) {
    try {
      const id = await api.addFile(file, signal, onSent);
      return { id, name: jobName, category };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SlipstreamError) || isFinal(error)) throw asRefusal(api.name, error);
      log.warning(`${api.name}: submission ${attempt} of ${ATTEMPTS} has no good answer: ${error.message}`);
      const found = await lookFor(api, jobName, { signal, times, unreachable: error });
      if (found !== undefined) {
        log.info(`${api.name}: had taken the job all the same`);
        return { id: found.id, name: jobName, category };
      }
      if (upload.isWhole) throw untold(api.name, error);
      if (attempt >= ATTEMPTS) throw asRefusal(api.name, error);
    }
  }
}

const isFinal = (error: SlipstreamError) => error instanceof Refused || error.code === 'AUTH_FAILED';

/** @returns undefined when the job is not there by now; throws `unreachable` when that cannot be found out. */
async function lookFor(
  api: SabApi,
  jobName: string,
  { signal, times, unreachable }: { signal: AbortSignal; times: Times; unreachable: SlipstreamError },
): Promise<FoundJob | undefined> {
  let looks = 0;
  let answered = false;
  const look = async (): Promise<FoundJob | 'absent' | undefined> => {
    looks++;
    try {
      const [found] = await findJobs(api, { name: jobName }, signal);
      answered = true;
      if (found !== undefined) return found;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SlipstreamError && error.transient)) throw unreachable;
    }
    if (looks < LOOKS) return undefined;
    if (!answered) throw unreachable;
    return 'absent';
  };
  const found = await poll(look, { signal, interval: () => times.lostReply });
  return found === 'absent' ? undefined : found;
}

/** What the server says no to, and a fault that stays a fault, mean for the person that it does not take this NZB. */
function asRefusal(name: string, error: unknown): unknown {
  if (!(error instanceof SlipstreamError) || error.code !== 'SERVICE_ERROR') return error;
  const what = error instanceof Refused ? error.explanation.what : `${name} did not take the release.`;
  return notTaken(name, what, error, error.transient);
}

/** It may yet turn up: a gateway's 504 says nothing about what the server behind it goes on doing. */
const untold = (name: string, error: SlipstreamError) =>
  notTaken(name, `${name} did not say whether it took the release.`, error, true);

const notTaken = (name: string, what: string, cause: SlipstreamError, transient: boolean) =>
  new SlipstreamError(
    'SUBMIT_REFUSED',
    { what, next: `Try another release; if none is taken, look at the log of ${name}.` },
    { cause, detail: cause.message, transient },
  );
