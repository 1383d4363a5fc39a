import type { Posting } from '../../model/index.ts';
import type { SearchQuery } from '../source.ts';
import { idOf } from './reading.ts';

/** That many posts has no work, but an index has them. */
const WHOLE_INDEX = 10_000;

/**
 * Whether a service did not know the id and has listed whatever is newest: it says that its whole index fits, or what
 * it lists is of other works throughout (protocols.md §5.3, §5.7).
 *
 * @param total how many rows there are in all, where it says so
 */
export function hasIgnoredId(
  query: SearchQuery,
  listed: readonly Pick<Posting, 'claims'>[],
  total = 0,
): boolean {
  if (query.id === undefined) return false;
  const { kind } = query.id;
  const wanted = idOf(query.id.value);
  const claimed = listed.flatMap(({ claims }) => idOf(claims?.[kind]) ?? []);
  const confirmed = claimed.filter((id) => id === wanted).length;
  if (total >= WHOLE_INDEX) return confirmed * 2 <= claimed.length;
  if (claimed.length === 0 || confirmed > 0) return false;
  // An episode has an IMDb id of its own, which some give in place of its show's; the newest posts have many.
  return query.kind === 'movie' || kind !== 'imdb' || new Set(claimed).size > 1;
}
