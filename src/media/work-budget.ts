import { yieldEvery } from '../io/wait.ts';

/** Milliseconds after which everything else has its turn: somebody may be playing from the same process. */
const YIELD_INTERVAL_MS = 5;

/**
 * What may be done to find one thing in the structure of a file that a stranger has made. Counted in steps of less than
 * a microsecond: an element's header that is read, or a few thousand bytes that are looked through.
 */
export class WorkBudget {
  /** Lets everything else have its turn when it is time. Rejects with the signal's reason once it has aborted. */
  readonly yieldToLoop: () => Promise<void>;
  #left: number;

  constructor(steps: number, signal: AbortSignal) {
    this.#left = steps;
    this.yieldToLoop = yieldEvery(YIELD_INTERVAL_MS, signal);
  }

  /** Counts a step. @throws WorkBudgetExceeded when there were too many, and from then on. */
  step(): void {
    if (this.#left === 0) throw new WorkBudgetExceeded();
    this.#left--;
  }
}

export class WorkBudgetExceeded extends Error {
  constructor() {
    super('the structure of the file takes too much work');
  }
}
