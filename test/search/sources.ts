import type { Posting } from '../../src/model/index.ts';
import type {
  AggregateSource,
  MemberSource,
  SearchAnswer,
  SearchCapabilities,
  SearchQuery,
  SearchSource,
  SourceManager,
} from '../../src/search/sources/source.ts';
import type { Unavailability } from '../../src/search/sources/unavailability.ts';

export const ALL_ABILITIES: SearchCapabilities = {
  movieIds: ['imdb', 'tmdb'],
  seriesIds: ['tvdb', 'tmdb', 'imdb'],
  episodeNumbers: true,
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
) => Promise<SearchAnswer | 'unsupported'> | SearchAnswer | 'unsupported';

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
    capabilities: () => Promise.resolve(abilities),
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

export const answer = (
  postings: readonly Posting[] = [],
  more: Partial<SearchAnswer> = {},
): SearchAnswer => ({
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

export interface FakeManager extends SourceManager {
  readonly asked: () => number;
}

/** A manager that lists what `behind` gives, and counts how often it was asked. */
export function fakeManager(
  id: string,
  behind: (manager: Pick<SourceManager, 'id' | 'name'>) => readonly MemberSource[] | AggregateSource,
): FakeManager {
  const manager = { id, name: id.toUpperCase() };
  let asked = 0;
  return {
    ...manager,
    asked: () => asked,
    members: () => {
      asked++;
      return Promise.resolve(behind(manager));
    },
  };
}

export interface FakeMember extends FakeSource, MemberSource {
  readonly looks: () => number;
}

/** A member that answers as told; `look` gives what the manager says of it. */
export function fakeMember(
  { id, name: managerName }: Pick<SourceManager, 'id' | 'name'>,
  name: string,
  reply: Reply,
  more: Partial<Pick<MemberSource, 'place' | 'unavailability' | 'timeout'>> & {
    readonly look?: () => Unavailability | undefined;
    readonly abilities?: SearchCapabilities;
  } = {},
): FakeMember {
  const { look, abilities, ...fields } = more;
  let looks = 0;
  return {
    ...fakeSource(`${id}/${name}`, reply, abilities),
    ...fields,
    name,
    manager: { id, name: managerName },
    looks: () => looks,
    checkAvailability: () => {
      looks++;
      return Promise.resolve(look?.());
    },
  };
}
