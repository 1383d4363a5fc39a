import type { Explanation } from '../errors/index.ts';
import type { Message } from '../host/port.ts';
import { formatTime } from '../host/time-text.ts';

/** A film that broke off plays again. @param position Seconds. */
export const restarted = (position: number): Message => ({
  what: 'The film broke off before its end.',
  next: `It goes on from ${formatTime(position)}.`,
  level: 'info',
});

/** The player could not open a film, for what its source failed of. */
export const notOpened = (why: Explanation): Explanation => ({
  what: `The film could not be opened. ${why.what}`,
  next: why.next,
});

/** A film that broke off was to be played again, and the player did not. @param time Seconds. @param isKept It will be offered there. */
export const restartFailed = (time: number, isKept: boolean): Explanation => ({
  what: `The film broke off at ${formatTime(time)}, and Kodi did not start it again.`,
  next: playHint(time, isKept),
});

/** A film that broke off is not played again. @param time Seconds. @param why As far as it is known. */
export const brokeOff = (time: number, why: Explanation | undefined): Explanation => ({
  what: `The film broke off at ${formatTime(time)} and cannot be played on.`,
  next: why === undefined ? 'Play it again, or choose another release.' : `${why.what} ${why.next}`,
});

/** A film's stream is lost, and another release is being made ready. @param time Seconds. */
export const replacing = (time: number): Message => ({
  what: `The film broke off at ${formatTime(time)} and cannot be read any further.`,
  next: 'Another release is being made ready.',
  level: 'warning',
});

/** Parts of a film that plays are missing further on, and another release is being made ready. */
export const replacingForMissing: Message = {
  what: 'Parts of this release are missing further on.',
  next: 'Another release is being made ready.',
  level: 'warning',
};

/** It plays. @param position Seconds. */
export const replaced = (position: number): Message => ({
  what: 'Another release of the film plays now.',
  next: `It goes on from about ${formatTime(position)}.`,
  level: 'info',
});

/** No other release could be played either. @param time Seconds. */
export const noReplacement = (time: number, why: Explanation): Explanation => ({
  what: `The film broke off at ${formatTime(time)}, and no other release can be played.`,
  next: `${why.what} ${why.next}`,
});

/** Another release was made ready in a lost film's place, and the player did not take it. */
export const replacementNotStarted: Explanation = {
  what: 'Another release of the film is ready, but Kodi did not start it.',
  next: 'Play the film again.',
};

/** Parts of a film that plays are missing further on, and no other release can be played. */
export const noReplacementForMissing = (why: Explanation): Message => ({
  what: 'Parts of this release are missing further on, and no other release can be played.',
  next: `${why.what} ${why.next}`,
  level: 'warning',
});

/** A stream that was played before is no longer there, and the film could not be started anew either. */
export const replayFailed: Explanation = {
  what: 'The film is no longer at the server that it was played from, and Kodi did not start it anew.',
  next: 'Play the film again.',
};

/** A stream that was played before is no longer there. */
export const searchingAgain: Message = {
  what: 'The film is no longer at the server that it was played from.',
  next: 'It is looked for anew.',
  level: 'info',
};

/** A stream of which only the film is known any more, as of one that was played before the add-on was updated. */
export const forgottenStream: Message = {
  what: 'Kodi has kept an address of the film that leads nowhere any more.',
  next: 'The film is looked for anew.',
  level: 'info',
};

/** One of which nothing is known. */
export const unknownStream: Explanation = {
  what: 'Kodi has kept an address of a film that leads nowhere any more.',
  next: 'Open its list anew, and start the film from there.',
};

/** What is read of a film waits for its server. */
export const serverFailing: Message = {
  what: 'The file server calls missing what it had: its provider may be away.',
  next: 'It is waited for as long as the player waits, half a minute at the most.',
  level: 'warning',
};

/** It does so no longer, and the film has not been given up. */
export const serverRecovered: Message = {
  what: 'The film goes on.',
  next: 'Its server is not waited for any longer.',
  level: 'info',
};

/** Its server does not answer any more, and the film still plays. @param why What its reads fail of. */
export const serverAway = ({ what }: Explanation): Message => ({
  what,
  next: 'The film plays on from what has been read ahead. If the server is not back by then, it ends there.',
  level: 'warning',
});

/** The film has ended because its server does not answer. @param time Seconds. @param isKept It will be offered there. */
export const endedServerAway = (time: number, why: Explanation, isKept: boolean): Explanation => ({
  what: `The film broke off at ${formatTime(time)}. ${why.what}`,
  next: `${why.next} Then ${playHint(time, isKept).replace('Play', 'play')}`,
});

const playHint = (time: number, isKept: boolean): string =>
  isKept ? `Play the film again: it goes on from ${formatTime(time)}.` : 'Play the film again.';
