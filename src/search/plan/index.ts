import type { MediaRequest } from '../../model/index.ts';
import type { Abilities, SearchQuery } from '../source.ts';
import type { Attempt } from './attempt.ts';
import { episodeAttempts } from './episode.ts';
import { movieAttempts } from './movie.ts';
import type { PlanOptions } from './options.ts';

/** What to ask one source, the most precise first. */
export type Plan = readonly Attempt[];

/**
 * Turns a request into queries: ids before text, because names lie and ids are rarely wrong; then each title, the
 * given one first. What nobody could understand is not asked (protocols.md §5.7).
 */
export function planFor(request: MediaRequest, abilities: Abilities, options: PlanOptions = {}): Plan {
  const { episode } = request;
  const attempts =
    episode === undefined
      ? movieAttempts(request, abilities)
      : episodeAttempts(request, episode, abilities, options);
  return attempts
    .map((attempt) => ({ ...attempt, alternatives: allowed(attempt.alternatives, abilities) }))
    .filter(({ alternatives }) => alternatives.length > 0);
}

const allowed = (queries: readonly SearchQuery[], { noPlainText }: Abilities) =>
  noPlainText === true ? queries.filter(({ kind }) => kind !== 'text') : queries;
