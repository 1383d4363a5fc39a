import * as v from 'valibot';
import { MIN_RESUME_SECONDS, openResumePoints, ResumeKey } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { StoppedFilm } from './playback.ts';

/** Of the version before: the film by one name, of which nobody knows the kind. */
const EarlierMark = v.pipe(
  v.object({ film: v.pipe(v.string(), v.regex(/^[\da-f]{32}$/)), release: ResumeKey.entries.release }),
  v.transform(({ film, release }): ResumeKey => ({ names: [`id.${film}`], release, cut: '' })),
);
const Mark = v.pipe(v.string(), v.parseJson(), v.union([ResumeKey, EarlierMark]));

/** What a film's mark says; undefined when it says nothing. */
export function parseMark(mark: string): ResumeKey | undefined {
  const parsed = v.safeParse(Mark, mark);
  return parsed.success ? parsed.output : undefined;
}

/** The release of a film's mark, as Recall names it. */
export const releaseOf = (mark: string): string => parseMark(mark)?.release ?? '';

/** Whether a film with that mark will be offered from there. @param time Seconds. */
export const isResumable = (mark: string, time: number): boolean =>
  parseMark(mark) !== undefined && time > MIN_RESUME_SECONDS;

/**
 * Writes down where a film of ours was left; one that was seen to its end is to be taken up nowhere. Nothing is known of
 * a film without a mark (router/play.ts), such as a bare URL. Never rejects.
 */
export async function saveResumePoint(
  { time, duration, isFinished: finished, mark }: StoppedFilm,
  folder: string,
  log: Logger,
): Promise<void> {
  const key = parseMark(mark);
  if (key === undefined) return;
  const points = openResumePoints({ folder, log });
  if (finished) await points.clear(key);
  else await points.save(key, { position: time, duration });
}
