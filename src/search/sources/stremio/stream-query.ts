import type { Claims } from '../../../model/index.ts';
import { imdbDigits, parseId } from '../common/fields.ts';
import type { SearchQuery } from '../source.ts';
import { type AddonManifest, ID_PREFIXES, takesId } from './manifest.ts';

/** What an add-on is asked for: a film by its id, an episode by its show's with both numbers. */
export interface StreamQuery {
  readonly type: 'movie' | 'series';
  /** As Stremio writes it: "tt1254207", "tmdb:603", "tt0903747:1:2". */
  readonly id: string;
  /** What a list of its streams says of each. */
  readonly claims: Claims;
}

/** What some add-on can be asked for. */
const ANY_MANIFEST: AddonManifest = { types: ['movie', 'series'], prefixes: [''] };

/** @returns undefined for what the add-on does not take; without `offer`, for what none does */
export function streamQueryOf(query: SearchQuery, offer = ANY_MANIFEST): StreamQuery | undefined {
  const { kind, id, text, season, episode, date } = query;
  const digits = parseId(id?.value);
  if (kind === 'text' || id === undefined || digits === undefined || text !== undefined) return undefined;
  if (id.kind !== 'imdb' && id.kind !== 'tmdb') return undefined;
  const value = id.kind === 'imdb' ? `${ID_PREFIXES.imdb}${imdbDigits(digits)}` : digits;
  const named = id.kind === 'imdb' ? value : `${ID_PREFIXES.tmdb}${value}`;
  if (!offer.types.includes(kind) || !takesId(offer, named)) return undefined;
  if (kind === 'movie') return { type: kind, id: named, claims: { [id.kind]: value } };
  if (season === undefined || episode === undefined || date !== undefined) return undefined;
  return {
    type: kind,
    id: `${named}:${season}:${episode}`,
    claims: { [id.kind]: value, season, episode },
  };
}
