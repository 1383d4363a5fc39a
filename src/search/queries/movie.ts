import type { MediaRequest } from '../../model/index.ts';
import type { SearchCapabilities, SearchQuery } from '../sources/source.ts';
import { type Attempt, attempt } from './attempt.ts';
import { queriesById, supportedIds, titleTexts } from './texts-and-ids.ts';

/** A film: by id, then by each title with its year, then by the first title alone. */
export function movieAttempts(request: MediaRequest, abilities: SearchCapabilities): Attempt[] {
  const { year, ids } = request;
  const known = supportedIds(ids, abilities.movieIds, ['imdb', 'tmdb']);
  const byId = queriesById({ kind: 'movie', area: 'movies' }, known, abilities);
  const texts = titleTexts(request);
  const dated = texts.map((text) => byText(year === undefined ? text : `${text} ${year}`, abilities));
  // Names may leave the year out, or give the one after.
  const [first] = texts;
  const bare = first === undefined || year === undefined ? [] : [byText(first, abilities)];
  return [attempt(...byId), ...dated, ...bare];
}

function byText(text: string, { movieText }: SearchCapabilities): Attempt {
  const plain: SearchQuery = { kind: 'text', area: 'movies', text };
  return movieText ? attempt({ kind: 'movie', area: 'movies', text }, plain) : attempt(plain);
}
