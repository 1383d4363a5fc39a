import type { Logger } from '../../log/index.ts';
import type { Job } from '../../model/index.ts';
import { submitOnce } from '../job/submit-once.ts';
import type { NzbFile, SabApi } from '../sabnzbd/api.ts';
import { findJobs } from '../sabnzbd/find-job.ts';
import type { Times } from './times.ts';

/** As Backend.submit. */
export async function submitJob(
  api: SabApi,
  file: NzbFile,
  context: { readonly signal: AbortSignal; readonly times: Times; readonly log: Logger },
): Promise<Job> {
  const { jobName: name, category } = file;
  const submission = {
    backend: api,
    send: (signal: AbortSignal, onSent: () => void) => api.addFile(file, signal, onSent),
    find: async (signal: AbortSignal) => (await findJobs(api, { name }, signal))[0]?.id,
  };
  return { id: await submitOnce(submission, context), name, category };
}
