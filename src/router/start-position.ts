import { CancelledError } from '../errors/index.ts';
import type { Host } from '../host/port.ts';
import { openResumePoints, type ResumeKey } from '../library/index.ts';
import type { Logger } from '../log/index.ts';

/** Seconds: two cuts of a film differ by their opening logos at least. */
const REWIND_SECONDS = 15;

/** Where the person wants to take a film up. Seconds from its start. */
export interface StartPosition {
  /** With the chosen release. */
  readonly chosen: number;
  /** With another one that plays in its place. */
  readonly another: number;
}

/**
 * Where the person wants to take the film up; undefined: at its start, or where the media centre itself has been told
 * to. @throws CancelledError when the person goes back
 */
export async function askStartPosition(
  key: ResumeKey,
  host: Pick<Host, 'dataFolder' | 'resumeAnswer' | 'askResume'>,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<StartPosition | undefined> {
  const point = await openResumePoints({ folder: host.dataFolder, log }).forRelease(key);
  if (point === undefined || (await host.resumeAnswer()) !== undefined) return undefined;
  const { position, sameCut } = point;
  const answer = await host.askResume({ position, isExact: sameCut }, signal);
  if (answer === undefined) throw new CancelledError('person');
  if (answer === 'start') return undefined;
  const rewound = Math.max(0, position - REWIND_SECONDS);
  return { chosen: sameCut ? position : rewound, another: rewound };
}
