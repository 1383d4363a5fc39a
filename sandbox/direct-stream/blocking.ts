import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxJob } from '../nzbdav/job.ts';
import type { DirectStreamParts } from './parts.ts';

/** Waits until a job has ended; undefined when it takes longer, or is gone. */
export async function waitUntilEnded(
  name: string,
  milliseconds: number,
  { jobs, closed }: DirectStreamParts,
): Promise<SandboxJob | 'gone' | undefined> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end && !closed.aborted) {
    const job = jobNamed(name, jobs);
    if (job === undefined) return 'gone';
    if (job.state === 'completed' || job.state === 'failed') return job;
    await sleep(5, undefined, { signal: closed }).catch(() => undefined);
  }
  return undefined;
}

/** The newest of that name. */
export const jobNamed = (name: string, jobs: DirectStreamParts['jobs']): SandboxJob | undefined =>
  [...jobs.queue(), ...jobs.history()].find((job) => job.name === name);
