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
  const { id, otherIds = [] } = query;
  if (id === undefined) return false;
  const ids = [id, ...otherIds];
  const claimed = listed.flatMap(({ claims }) => {
    const known = ids.flatMap(({ kind, value }) => {
      const told = idOf(claims?.[kind]);
      return told === undefined ? [] : [{ told, isWanted: told === idOf(value) }];
    });
    return known[0] === undefined
      ? []
      : [{ told: known[0].told, isWanted: known.some((each) => each.isWanted) }];
  });
  const confirmed = claimed.filter(({ isWanted }) => isWanted).length;
  if (total >= WHOLE_INDEX) return confirmed * 2 <= claimed.length;
  if (claimed.length === 0 || confirmed > 0) return false;
  // An episode has an IMDb id of its own, which some give in place of its show's; the newest posts have many.
  const isShowsOwn = query.kind === 'movie' || ids.some(({ kind }) => kind !== 'imdb');
  return isShowsOwn || new Set(claimed.map(({ told }) => told)).size > 1;
}
