import type { Explanation } from '../errors/index.ts';
import { clock } from '../host/clock.ts';

/** A film that broke off is played again. @param position Seconds. */
export const goesOn = (position: number): Explanation => ({
  what: 'The film broke off before its end.',
  next: `It goes on from ${clock(position)}.`,
});

/** A film that broke off is not played again. @param time Seconds. @param why As far as it is known. */
export const brokeOff = (time: number, why: Explanation | undefined): Explanation => ({
  what: `The film broke off at ${clock(time)} and cannot be played on.`,
  next: why === undefined ? 'Play it again, or choose another release.' : `${why.what} ${why.next}`,
});

/** A film's stream is lost, and another release is being made ready. @param time Seconds. */
export const anotherRelease = (time: number): Explanation => ({
  what: `The film broke off at ${clock(time)} and cannot be read any further.`,
  next: 'Another release is being made ready.',
});

/** It is ready. @param position Seconds. */
export const goesOnWith = (position: number): Explanation => ({
  what: 'Another release of the film plays now.',
  next: `It goes on from about ${clock(position)}.`,
});

/** No other release could be played either. @param time Seconds. */
export const noOther = (time: number, why: Explanation): Explanation => ({
  what: `The film broke off at ${clock(time)}, and no other release can be played.`,
  next: `${why.what} ${why.next}`,
});
