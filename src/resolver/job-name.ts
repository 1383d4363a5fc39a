import { randomBytes } from 'node:crypto';
import { UNIQUE_SUFFIX } from '../backends/job/unique-suffix.ts';
import { safeName } from '../library/comparable-names.ts';

/**
 * The name under which a release is submitted: its own, made safe for a file name, with a unique end. Unique, because
 * two jobs of one name replace each other on some backends, and because a submission whose answer was lost is looked
 * for by this name (protocols.md §1.4, §2.10).
 */
export function uniqueJobName(releaseName: string): string {
  const unique = randomBytes(4).toString('hex');
  return `${safeName(releaseName) || 'release'}-${unique}`;
}

/**
 * What a service calls a file, without the unique end of our job: AltMount calls files as their job (protocols.md §2.10).
 * Undefined where that is not in it.
 */
export function withoutJobSuffix(fileName = '', jobName = ''): string | undefined {
  const [end] = UNIQUE_SUFFIX.exec(jobName) ?? [];
  return end !== undefined && fileName.includes(end) ? fileName.replace(end, '') : undefined;
}
