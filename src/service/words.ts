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

/** Parts of a film that plays are missing further on, and another release is being made ready. */
export const partsMissing: Explanation = {
  what: 'Parts of this release are missing further on.',
  next: 'Another release is being made ready.',
};

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

/** Parts of a film that plays are missing further on, and no other release can be played. */
export const noneForMissing = (why: Explanation): Explanation => ({
  what: 'Parts of this release are missing further on, and no other release can be played.',
  next: `${why.what} ${why.next}`,
});

/** What is read of a film waits for its server. */
export const serverInTrouble: Explanation = {
  what: 'The file server calls missing what it had: its provider may be away.',
  next: 'It is waited for as long as the player waits, half a minute at the most.',
};

/** It does so no longer, and the film has not been given up. */
export const serverWaitOver: Explanation = {
  what: 'The film goes on.',
  next: 'Its server is not waited for any longer.',
};
