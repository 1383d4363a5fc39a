import type { Message } from '../host/port.ts';

export interface PlayingFilm {
  readonly url: string;
  /** What starts the film anew, from the search on; empty while nobody knows. */
  readonly origin: string;
  /** Seconds. */
  readonly time: number;
  /** PlayItem.mark, as far as it is known. */
  readonly mark: string;
}

/** How a film of ours ended. */
export interface StoppedFilm {
  /** Where the player stood last, and the film's length; 0 when nobody knows. Seconds. */
  readonly time: number;
  readonly duration: number;
  /** It was read to its own end. */
  readonly isFinished: boolean;
  /** PlayItem.mark; empty when there is none. */
  readonly mark: string;
}

/** What the service has the player begin in the place of a lost film. */
export interface ExpectedFilm {
  readonly url: string;
  /** Told at its first picture. */
  readonly startMessage: Message;
  /** Called when the player has not begun it in time. */
  readonly onNotStarted: () => Promise<void>;
}
