import type { Posting } from '../../src/model/index.ts';
import type { Abilities, Answer, SearchQuery, SearchSource } from '../../src/search/source.ts';

export const ALL_ABILITIES: Abilities = {
  movieIds: ['imdb', 'tmdb'],
  seriesIds: ['tvdb', 'tmdb', 'imdb'],
  numbers: true,
  movieText: true,
  seriesText: true,
};

export interface FakeSource extends SearchSource {
  readonly queries: SearchQuery[];
  /** The most queries that were ever under way at once. */
  readonly mostAtOnce: () => number;
}

export type Reply = (
  query: SearchQuery,
  signal: AbortSignal,
) => Promise<Answer | 'unsupported'> | Answer | 'unsupported';

/** A source that answers as told and remembers what it was asked. */
export function fakeSource(id: string, reply: Reply, abilities = ALL_ABILITIES): FakeSource {
  const queries: SearchQuery[] = [];
  let now = 0;
  let most = 0;
  return {
    id,
    name: id.toUpperCase(),
    queries,
    mostAtOnce: () => most,
    abilities: () => Promise.resolve(abilities),
    test: () => Promise.resolve([]),
    ask: async (query, signal) => {
      queries.push(query);
      most = Math.max(most, ++now);
      try {
        return await reply(query, signal);
      } finally {
        now--;
      }
    },
  };
}

export const answer = (postings: readonly Posting[] = [], more: Partial<Answer> = {}): Answer => ({
  postings,
  failures: [],
  ignoredId: false,
  ...more,
});

/** Never answers, but heeds the signal. */
export const hang: Reply = (_, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
