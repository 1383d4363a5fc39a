import { asSlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import { submitOnce } from '../job/submit-once.ts';
import { findJob, isOwnName } from './find-job.ts';
import { isDuplicateRejected } from './outcome.ts';
import type { Append, NzbgetApi } from './rpc.ts';
import type { PastJob } from './rpc-schema.ts';
import type { NzbgetTimings } from './timings.ts';

interface Context {
  readonly signal: AbortSignal;
  readonly times: NzbgetTimings;
  readonly log: Logger;
}

/** @returns the job's id. @throws as Backend.submit */
export function submitJob(api: NzbgetApi, nzb: Append, context: Context): Promise<string> {
  const submission = {
    backend: api,
    send: async (signal: AbortSignal, onSent: () => void) => String(await api.append(nzb, signal, onSent)),
    find: async (signal: AbortSignal) => {
      const { queued, past } = await findJob(api, nzb.name, signal);
      const found = [...queued, ...past].find(({ names }) => isOwnName(nzb.name, names));
      return found === undefined ? undefined : String(found.id);
    },
  };
  return submitOnce(submission, context);
}

/**
 * As submitJob, for a job that may have backups. NZBGet's check for duplicates puts it aside when it has had the same
 * articles before, under whatever name; it is then sent again in a way that does not ask for duplicates.
 */
export async function submitWithBackups(api: NzbgetApi, nzb: Append, context: Context): Promise<string> {
  const { signal, log } = context;
  const id = await submitJob(api, nzb, context);
  const past = await pastJob(api, nzb.name, context);
  if (past === undefined || !isDuplicateRejected(past.status)) return id;
  log.info(`${api.name}: put the job aside (${past.status}); it is sent again without the check`);
  await api.edit('HistoryFinalDelete', [past.id], signal);
  return await submitJob(api, { ...nzb, dupeMode: 'FORCE' }, context);
}

/** The job is taken, so a failure to look is none of the submission: waiting for the job will tell. */
async function pastJob(
  api: NzbgetApi,
  jobName: string,
  { signal, log }: Context,
): Promise<PastJob | undefined> {
  try {
    return (await api.history(signal)).find(({ names }) => isOwnName(jobName, names));
  } catch (error) {
    signal.throwIfAborted();
    log.warning(
      `${api.name}: whether the job was put aside is not known: ${asSlipstreamError(error).message}`,
    );
    return undefined;
  }
}
