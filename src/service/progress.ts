import type { PlayerState } from '../host/port.ts';

/** How far a film has come. The player forgets that with the film's end, so it is written down while it plays. */
export class Progress {
  /** Seconds; the duration is 0 while nobody knows it. */
  time = 0;
  duration = 0;
  /** Restarts since the film last played for long. */
  restarts = 0;
  /** Where it was last taken up, by a restart or by a seek. */
  #from = 0;

  /** The player stands here. @param enough Seconds of play after which earlier restarts no longer count. */
  seen({ time, duration }: Pick<PlayerState, 'time' | 'duration'>, enough: number): void {
    this.time = Math.max(0, time);
    this.duration = duration > 0 ? duration : this.duration;
    if (this.time - this.#from >= enough) this.restarts = 0;
  }

  /** The person has gone to this second: what lies before it was not played. */
  sought(time: number): void {
    this.time = time;
    this.#from = time;
  }

  restartedAt(time: number): void {
    this.sought(time);
    this.restarts++;
  }
}
