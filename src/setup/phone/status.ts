import type { PhoneEvent } from './api.ts';

const MINUTE = 60_000;

/** What the TV tells about the phone. */
export class PhoneStatus {
  #stage: 'waiting' | 'connected' | 'saved' = 'waiting';
  #isOver = false;
  #isDone = false;

  /** Whether the phone has saved something, or says that it is done. */
  get isUsed(): boolean {
    return this.#isDone || this.#stage === 'saved';
  }

  /** Whether nothing more is to be expected from the phone. */
  get isOver(): boolean {
    return this.#isOver;
  }

  handle(event: PhoneEvent): void {
    if (event === 'done') this.#isDone = true;
    if (event === 'done' || event === 'locked') this.#isOver = true;
    else this.#stage = event;
  }

  /** In words, with the milliseconds that are left. */
  text(left: number): string {
    return `${STAGES[this.#stage]} ${timeInWords(left)} left.`;
  }
}

const STAGES = {
  waiting: 'Waiting for your phone.',
  connected: 'A phone is connected.',
  saved: 'Saved. You can go on, on the phone.',
} as const;

function timeInWords(left: number): string {
  const minutes = Math.ceil(left / MINUTE);
  if (left < MINUTE) return 'Less than a minute';
  return minutes === 1 ? 'One minute' : `${minutes} minutes`;
}
