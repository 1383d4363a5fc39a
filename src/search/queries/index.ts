import type { MediaRequest } from '../../model/index.ts';
import type { SearchCapabilities, SearchQuery } from '../sources/source.ts';
import type { Attempt } from './attempt.ts';
import { episodeAttempts } from './episode.ts';
import { movieAttempts } from './movie.ts';
import type { QueryOptions } from './options.ts';

/** What to ask one source, the most precise first. */
export type QueryPlan = readonly Attempt[];

/**
 * Turns a request into queries: ids before text, because names lie and ids are rarely wrong; then each title, the
 * given one first. What nobody could understand is not asked (protocols.md §5.7).
 */
export function planQueries(
  request: MediaRequest,
  abilities: SearchCapabilities,
  options: QueryOptions = {},
): QueryPlan {
  const { episode } = request;
  const attempts =
    episode === undefined
      ? movieAttempts(request, abilities)
      : episodeAttempts(request, episode, abilities, options);
  return attempts
    .map((attempt) => ({ ...attempt, alternatives: supportedQueries(attempt.alternatives, abilities) }))
    .filter(({ alternatives }) => alternatives.length > 0);
}

const supportedQueries = (queries: readonly SearchQuery[], { noPlainText }: SearchCapabilities) =>
  noPlainText === true ? queries.filter(({ kind }) => kind !== 'text') : queries;
