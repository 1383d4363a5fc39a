import type { SearchQuery } from '../sources/source.ts';

export interface Attempt {
  /** Ways to ask for the same: the next is taken only when the source does not know the one before. Never empty. */
  readonly alternatives: readonly SearchQuery[];
  /** Made whatever the attempts before have found; any other only while nothing fits. */
  readonly isAlwaysSent: boolean;
  /** Made beside what was asked for: behind a manager that takes ids, by id only once something was found. */
  readonly isForPack?: true;
}

export const attempt = (...alternatives: readonly SearchQuery[]): Attempt => ({
  alternatives,
  isAlwaysSent: false,
});
