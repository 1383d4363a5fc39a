import * as v from 'valibot';
import { ResumeKey, resumePoints } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { Stopped } from './monitor.ts';

const Mark = v.pipe(v.string(), v.parseJson(), ResumeKey);

/** What a film's mark says; undefined when it says nothing. */
export function readMark(mark: string): ResumeKey | undefined {
  const parsed = v.safeParse(Mark, mark);
  return parsed.success ? parsed.output : undefined;
}

/**
 * Writes down where a film of ours was left; one that was seen to its end is to be taken up nowhere. Nothing is known of
 * a film without a mark (router/play.ts), such as a bare URL. Never rejects.
 */
export async function keepResumePoint(
  { time, duration, finished, mark }: Stopped,
  folder: string,
  log: Logger,
): Promise<void> {
  const key = readMark(mark);
  if (key === undefined) return;
  const points = resumePoints({ folder, log });
  if (finished) await points.clear(key);
  else await points.left(key, { position: time, duration });
}
