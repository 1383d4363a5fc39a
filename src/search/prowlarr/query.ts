import type { SearchQuery } from '../source.ts';
import { categoriesOf, numbersOf, PAGE } from '../wire/caps.ts';
import { idOf, imdbDigits } from '../wire/reading.ts';
import type { Indexer } from './indexers.ts';

const TYPE = { movie: 'movie', series: 'tvsearch', text: 'search' } as const;
const TOKEN = { imdb: 'ImdbId', tmdb: 'TmdbId', tvdb: 'TvdbId', tvmaze: 'TvMazeId' } as const;

/** The query in Prowlarr's words: ids and numbers are tokens within the text (protocols.md §7.2). */
export function parametersOf(query: SearchQuery, indexers: readonly Indexer[]): URLSearchParams {
  const parameters = new URLSearchParams({
    query: queryText(query),
    type: TYPE[query.kind],
    limit: String(PAGE),
  });
  for (const category of categoriesOf(query)) parameters.append('categories', category);
  for (const { id } of indexers) parameters.append('indexerIds', String(id));
  return parameters;
}

function queryText(query: SearchQuery): string {
  const { kind, id, text = '' } = query;
  const { season, episode } = kind === 'series' ? numbersOf(query) : {};
  const tokens = [
    ...(id === undefined ? [] : [token(TOKEN[id.kind], idValue(id))]),
    ...(season === undefined ? [] : [token('Season', season)]),
    ...(episode === undefined ? [] : [token('Episode', episode)]),
  ];
  return `${text} ${tokens.join('')}`.trim();
}

const token = (name: string, value: string) => `{${name}:${value}}`;

function idValue({ kind, value }: NonNullable<SearchQuery['id']>): string {
  const digits = idOf(value) ?? '';
  return kind === 'imdb' ? `tt${imdbDigits(digits)}` : digits;
}
