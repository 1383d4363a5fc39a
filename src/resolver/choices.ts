import type { FinishedJob } from '../backends/backend.ts';
import type { Release } from '../model/index.ts';

/** A release that is to be played. */
export interface Choice {
  readonly release: Release;
  /** The backend's finished job that holds it already. */
  readonly there?: FinishedJob;
  /**
   * It stands for something that was remembered, and there is no NZB of it; called when it is proven not to hold what it
   * should.
   */
  readonly wrong?: () => Promise<void>;
  /** It is tried before there was a search, and beside what the person allows to be tried: nothing is fetched for it. */
  readonly beforehand?: true;
}

/** What is to be tried, one after the other, until something plays. */
export interface Choices {
  /** The next one, each once; undefined when there is none left. */
  next(): Promise<Choice | undefined>;
}
