import { childOf, type XmlElement } from '../../io/xml.ts';

/** What an indexer can search by, from its caps document. Each list: parameters in lower case; empty: not offered. */
export interface Caps {
  readonly search: readonly string[];
  readonly tv: readonly string[];
  readonly movie: readonly string[];
}

/** For an indexer whose caps are not known: what practically all of them offer (protocols of nZEDb and newznab). */
export const USUAL_CAPS: Caps = {
  search: ['q'],
  tv: ['q', 'season', 'ep', 'tvdbid'],
  movie: ['q', 'imdbid'],
};

/** @param root the <caps> element */
export function parseCaps(root: XmlElement): Caps {
  const searching = childOf(root, 'searching');
  if (searching === undefined) return USUAL_CAPS;
  return {
    search: parametersOf(childOf(searching, 'search'), ['q']),
    tv: parametersOf(childOf(searching, 'tv-search'), ['q', 'season', 'ep']),
    movie: parametersOf(childOf(searching, 'movie-search'), ['q']),
  };
}

/** Nobody offers more parameters, nor longer ones. */
export const MAX_PARAMETERS = 50;
export const MAX_LENGTH = 40;

/** `assumed`: what a function that names no parameters can be relied on to take. */
function parametersOf(element: XmlElement | undefined, assumed: readonly string[]): readonly string[] {
  if (element?.attributes.get('available')?.toLowerCase() !== 'yes') return [];
  const named = (element.attributes.get('supportedParams') ?? '')
    .toLowerCase()
    .split(',')
    .map((parameter) => parameter.trim())
    .filter((parameter) => parameter !== '' && parameter.length <= MAX_LENGTH);
  return named.length === 0 ? assumed : named.slice(0, MAX_PARAMETERS);
}
