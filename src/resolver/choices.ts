import type { FinishedJob } from '../backends/backend.ts';
import type { Release } from '../model/index.ts';

/** A release that is to be played. */
export type Choice = FoundChoice | PackChoice;

/** One that a search has found: there is an NZB of it, or a link that plays. */
export interface FoundChoice {
  readonly kind: 'found';
  readonly release: Release;
  /** The backend's finished job that holds it already. */
  readonly existingJob?: FinishedJob | undefined;
}

/** A season pack that an earlier play has left at the backend: there is no NZB of it. */
export interface PackChoice {
  readonly kind: 'remembered';
  readonly release: Release;
  /** Absent when the backend no longer holds it. */
  readonly existingJob?: FinishedJob | undefined;
  /**
   * Whether it is tried before there was a search: nothing is fetched for it, so it is none of the attempts that the
   * person allows.
   */
  readonly isBeforeSearch: boolean;
  /** Forgets the pack: it was proven not to hold what it should. */
  readonly forget: () => Promise<void>;
}

/** What is to be tried, one after the other, until something plays. */
export interface Choices {
  /** The next one, each once; undefined when there is none left. */
  next(): Promise<Choice | undefined>;
}
