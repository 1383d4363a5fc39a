import { SlipstreamError } from '../../errors/index.ts';
import { unlessAborted } from '../../io/wait.ts';
import type { Job } from '../../model/index.ts';
import { asRefusal } from '../job/submit-once.ts';
import type { OpenJobs } from './open-jobs.ts';
import type { Order } from './service.ts';

/**
 * Starts the call that ends when the release is ready. The job counts as taken when the service has not refused it for
 * a moment; whether it succeeds is for the wait to tell.
 * @throws as Backend.submit
 */
export async function submitOrder(
  name: string,
  jobs: OpenJobs,
  order: Order,
  signal: AbortSignal,
): Promise<Job> {
  signal.throwIfAborted();
  const { jobName, category } = order;
  const job = { id: jobName, name: jobName, category };
  try {
    await unlessAborted(jobs.open(order).call().accepted, signal);
    return job;
  } catch (error) {
    if (!signal.aborted && hasCode(error, 'JOB_FAILED')) return job;
    jobs.close(jobName);
    throw signal.aborted ? signal.reason : asRefusal(name, error);
  }
}

const hasCode = (error: unknown, code: string): error is SlipstreamError =>
  error instanceof SlipstreamError && error.code === code;
