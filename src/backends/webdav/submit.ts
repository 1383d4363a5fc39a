import type { Logger } from '../../log/index.ts';
import type { Job } from '../../model/index.ts';
import { type JobSubmission, submitOnce } from '../job/submit-once.ts';
import type { NewFileJob, NewJob, NewUrlJob, SabApi } from '../sabnzbd/api.ts';
import { findJobs } from '../sabnzbd/find-job.ts';
import type { WebdavTimings } from './timings.ts';

interface Context {
  readonly signal: AbortSignal;
  readonly times: WebdavTimings;
  readonly log: Logger;
}

/** As Backend.submit. */
export const submitFile = (api: SabApi, file: NewFileJob, context: Context): Promise<Job> =>
  submitJob(api, file, (signal, onSent) => api.addFile(file, signal, onSent), context);

/** As Backend.submitAddress. */
export const submitAddress = (api: SabApi, address: NewUrlJob, context: Context): Promise<Job> =>
  submitJob(api, address, (signal, onSent) => api.addUrl(address, signal, onSent), context);

async function submitJob(
  api: SabApi,
  { jobName: name, category }: NewJob,
  send: JobSubmission['send'],
  context: Context,
): Promise<Job> {
  const find = async (signal: AbortSignal) => (await findJobs(api, { name }, signal))[0]?.id;
  return { id: await submitOnce({ backend: api, send, find }, context), name, category };
}
