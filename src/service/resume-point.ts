import * as v from 'valibot';
import { ResumeKey, resumePoints } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { Stopped } from './monitor.ts';

const Mark = v.pipe(v.string(), v.parseJson(), ResumeKey);

/**
 * Writes down where a film of ours was left; one that was seen to its end is to be taken up nowhere. Nothing is known of
 * a film without a mark (router/play.ts), such as a bare URL. Never rejects.
 */
export async function keepResumePoint(
  { time, duration, finished, mark }: Stopped,
  folder: string,
  log: Logger,
): Promise<void> {
  const key = v.safeParse(Mark, mark);
  if (!key.success) return;
  const points = resumePoints({ folder, log });
  if (finished) await points.clear(key.output);
  else await points.left(key.output, { position: time, duration });
}
