import type { Serving } from '../../model/index.ts';

/** Where a file is looked into, as parts of it (0 to 1). */
export interface SpotCheckPolicy {
  /** Whether it is done before the film's URL is handed over; else once the film has begun. */
  readonly beforeStart: boolean;
  readonly positions: readonly number[];
}

const MIDDLE = [1 / 2];
const THREE = [1 / 4, 1 / 2, 3 / 4];
/** Looked at beside a place that is lost: where these are lost as well, so is the film. */
export const EXTRA_POSITIONS: readonly number[] = [5 / 8, 3 / 4];

/**
 * One place tells of a file whose lost parts show. A server that fills them tells nothing while it is read, so three are
 * looked at. What is dear comes once the film has begun: it would take the line from the start. Undefined: nobody knows
 * how the server serves, and who asks for the stream has looked. Pure.
 */
export function spotChecksFor(serving: Serving | undefined): SpotCheckPolicy | undefined {
  return serving && { beforeStart: serving.look === 'cheap', positions: serving.zeroFills ? THREE : MIDDLE };
}
