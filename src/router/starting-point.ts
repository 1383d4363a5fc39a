import { CancelledError } from '../errors/index.ts';
import type { Host } from '../host/port.ts';
import { type ResumeKey, resumePoints } from '../library/index.ts';
import type { Logger } from '../log/index.ts';

/**
 * Seconds from the film's start to where the person wants to take it up; undefined: at its start, or where the media
 * centre itself has been told to. @throws CancelledError when the person goes back
 */
export async function startingPoint(
  key: ResumeKey,
  host: Pick<Host, 'dataFolder' | 'resumeAsked' | 'askResume'>,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<number | undefined> {
  if (host.resumeAsked !== undefined) return undefined;
  const point = await resumePoints({ folder: host.dataFolder, log }).of(key);
  // At that second of another release there is another scene.
  if (point?.sameRelease !== true) return undefined;
  const answer = await host.askResume(point.position, signal);
  if (answer === undefined) throw new CancelledError('person');
  return answer === 'resume' ? point.position : undefined;
}
