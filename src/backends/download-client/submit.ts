import { asSlipstreamError, SlipstreamError } from '../../errors/index.ts';
import { poll } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import { findJob, isItself } from './find-job.ts';
import { isPutAside } from './outcome.ts';
import { type Append, type NzbgetApi, Refused } from './rpc.ts';
import type { PastJob } from './rpc-schema.ts';
import type { Times } from './times.ts';

/** Sending the same NZB more often does not help, and the person waits. */
const ATTEMPTS = 2;
/** How often a job whose submission was not answered is looked for. */
const LOOKS = 3;

interface Context {
  readonly signal: AbortSignal;
  readonly times: Times;
  readonly log: Logger;
}

/**
 * Submits the NZB so that there is one job, whatever happens to the answer: one that does not arrive, makes no sense or
 * speaks of a fault (5xx) leaves open whether the job was taken, so it is looked for by its name. An NZB that has left us
 * whole is not sent again even if nothing is found: it may still be on its way, and would become a second job.
 * @returns the job's id. @throws as Backend.submit
 */
export async function submitOnce(api: NzbgetApi, nzb: Append, context: Context): Promise<number> {
  const { signal, log } = context;
  const upload = { isWhole: false };
  const onSent = () => {
    upload.isWhole = true;
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await api.append(nzb, signal, onSent);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SlipstreamError) || isFinal(error)) throw asRefusal(api.name, error);
      log.warning(`${api.name}: submission ${attempt} of ${ATTEMPTS} has no good answer: ${error.message}`);
      const id = await lookFor(api, nzb.name, { ...context, unreachable: error });
      if (id !== undefined) {
        log.info(`${api.name}: had taken the job all the same`);
        return id;
      }
      if (upload.isWhole) throw untold(api.name, error);
      if (attempt >= ATTEMPTS) throw asRefusal(api.name, error);
    }
  }
}

/**
 * As submitOnce, for a job that may have backups. NZBGet's check for duplicates puts it aside when it has had the same
 * articles before, under whatever name; it is then sent again in a way that does not ask for duplicates.
 */
export async function submitWithBackups(api: NzbgetApi, nzb: Append, context: Context): Promise<number> {
  const { signal, log } = context;
  const id = await submitOnce(api, nzb, context);
  const past = await pastJob(api, nzb.name, context);
  if (past === undefined || !isPutAside(past.status)) return id;
  log.info(`${api.name}: put the job aside (${past.status}); it is sent again without the check`);
  await api.edit('HistoryFinalDelete', [id], signal);
  return await submitOnce(api, { ...nzb, dupeMode: 'FORCE' }, context);
}

/** The job is taken, so a failure to look is none of the submission: waiting for the job will tell. */
async function pastJob(
  api: NzbgetApi,
  jobName: string,
  { signal, log }: Context,
): Promise<PastJob | undefined> {
  try {
    return (await api.history(signal)).find(({ names }) => isItself(jobName, names));
  } catch (error) {
    signal.throwIfAborted();
    log.warning(
      `${api.name}: whether the job was put aside is not known: ${asSlipstreamError(error).message}`,
    );
    return undefined;
  }
}

const isFinal = (error: SlipstreamError) => error instanceof Refused || error.code === 'AUTH_FAILED';

/** @returns undefined when the job is not there by now; throws `unreachable` when that cannot be found out. */
async function lookFor(
  api: NzbgetApi,
  jobName: string,
  { signal, times, unreachable }: Context & { readonly unreachable: SlipstreamError },
): Promise<number | undefined> {
  let looks = 0;
  let answered = false;
  const look = async (): Promise<number | 'absent' | undefined> => {
    looks++;
    try {
      const { queued, past } = await findJob(api, jobName, signal);
      answered = true;
      const found = [...queued, ...past].find(({ names }) => isItself(jobName, names));
      if (found !== undefined) return found.id;
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
