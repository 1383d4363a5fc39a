import type { PlayerState } from '../host/port.ts';

/** Seconds that a film's time may go further between two looks than the clock does, and still be its play. */
const TOLERANCE = 2;

/** Where the player stood, and performance.now() of that look. */
interface Sample {
  readonly time: number;
  readonly at: number;
}

/** What another engine must know to go on (place.ts). */
export interface SavedProgress {
  readonly time: number;
  readonly duration: number;
  readonly isOpen: boolean;
}

/**
 * How far a film has come. The player forgets that with the film's end, so it is written down while it plays. Nor does
 * it know it always: while it opens a film it stands at 0, and after a seek at once where it was sent.
 */
export class PlaybackProgress {
  /** Seconds; 0 while nobody knows it. */
  duration = 0;
  /** Restarts since the film last played for long. */
  restarts = 0;
  /** Where the player stands, or was sent to. Seconds. */
  #time = 0;
  /** The last second at which it was seen to play. */
  #played: number | undefined;
  #isOpen = false;
  #hasBegun = false;
  #lastSample: Sample | undefined;
  /** Where it was last taken up, by a restart or by a seek. */
  #from = 0;

  /**
   * The second to which the film has come. @param isServed Whether nothing is known to be wrong with its source: then a
   * film that was opened is where the player says, otherwise where it was last seen to play.
   */
  position(isServed: boolean): number {
    return this.#isOpen && isServed ? this.#time : (this.#played ?? this.#time);
  }

  /** Whether the film has had a picture since it was opened last. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether it has ever had one. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The player shows a picture. */
  markOpened(): void {
    this.#isOpen = true;
    this.#hasBegun = true;
  }

  /** The player stands here. @param enough Seconds of play after which earlier restarts no longer count. */
  update({ time, duration }: Pick<PlayerState, 'time' | 'duration'>, enough: number): void {
    this.duration = duration > 0 ? duration : this.duration;
    const look = { time: Math.max(0, time), at: performance.now() };
    const plays = this.#lastSample !== undefined && hasPlayed(this.#lastSample, look);
    this.#lastSample = look;
    if (plays) this.markOpened();
    this.#time = look.time;
    if (plays) this.#played = look.time;
    if (this.#time - this.#from >= enough) this.restarts = 0;
  }

  /** The person has gone to this second: what lies before it was not played. */
  markSeeked(time: number): void {
    this.#time = time;
    this.#from = time;
    this.#lastSample = undefined;
  }

  /** It is opened once more, to go on from there. */
  markRestarted(time: number): void {
    this.#played ??= this.#time;
    this.markSeeked(time);
    this.#isOpen = false;
    this.restarts++;
  }

  /** What another engine must know. */
  get saved(): SavedProgress {
    return { time: this.#played ?? this.#time, duration: this.duration, isOpen: this.#isOpen };
  }

  /** Goes on from what another engine has known. */
  restore({ time, duration, isOpen }: SavedProgress): void {
    this.#time = time;
    this.#played = time;
    this.duration = duration;
    this.#isOpen = isOpen;
    this.#hasBegun = isOpen || time > 0;
  }
}

/** Whether the film has played from one look to the other: a jump, or a time that hardly moves, tells of no picture. */
function hasPlayed(before: Sample, now: Sample): boolean {
  const seconds = now.time - before.time;
  const passed = (now.at - before.at) / 1000;
  return seconds > passed / 2 && seconds <= passed + TOLERANCE;
}
