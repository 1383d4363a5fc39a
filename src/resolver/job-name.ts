import { randomBytes } from 'node:crypto';
import { safeName } from '../library/names.ts';

/**
 * The name under which a release is submitted: its own, made safe for a file name, with a unique end. Unique, because
 * two jobs of one name replace each other on some backends, and because a submission whose answer was lost is looked
 * for by this name (protocols.md §1.4, §2.10).
 */
export function uniqueJobName(releaseName: string): string {
  const unique = randomBytes(4).toString('hex');
  return `${safeName(releaseName) || 'release'}-${unique}`;
}
