import { childOf, type XmlElement } from '../../../io/xml.ts';
import { type Caps, PAGE_SIZE, parameterNames } from '../common/caps.ts';

/** For an indexer whose caps are not known: what practically all of them offer (protocols of nZEDb and newznab). */
export const DEFAULT_CAPS: Caps = {
  search: ['q'],
  tv: ['q', 'season', 'ep', 'tvdbid'],
  movie: ['q', 'imdbid'],
  limit: PAGE_SIZE,
};

/** Reads a caps document. @param root the <caps> element */
export function parseCaps(root: XmlElement, usual: Caps = DEFAULT_CAPS): Caps {
  const searching = childOf(root, 'searching');
  if (searching === undefined) return usual;
  return {
    search: parametersOf(childOf(searching, 'search'), ['q']),
    tv: parametersOf(childOf(searching, 'tv-search'), ['q', 'season', 'ep']),
    movie: parametersOf(childOf(searching, 'movie-search'), ['q']),
    limit: limitOf(childOf(root, 'limits')),
    ...(availabilityOf(childOf(searching, 'search')) === 'no' && { forbidsText: true }),
  };
}

const availabilityOf = (element: XmlElement | undefined) =>
  element?.attributes.get('available')?.trim().toLowerCase();

/** `assumed`: what a function that names no parameters can be relied on to take. */
function parametersOf(element: XmlElement | undefined, assumed: readonly string[]): readonly string[] {
  if (element === undefined || availabilityOf(element) !== 'yes') return [];
  const listed = element.attributes.get('supportedParams') ?? element.attributes.get('supportedparams') ?? '';
  const named = parameterNames(listed.split(','));
  return named.length === 0 ? assumed : named;
}

/** Some say 0 or millions. */
function limitOf(limits: XmlElement | undefined): number {
  const max = Number(limits?.attributes.get('max'));
  return Number.isInteger(max) && max >= 1 ? Math.min(max, PAGE_SIZE) : PAGE_SIZE;
}
