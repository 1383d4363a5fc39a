import type { Posting } from '../../../model/index.ts';
import type { SearchQuery } from '../source.ts';
import { parseId } from './fields.ts';

/** That many posts has no work, but an index has them. */
const WHOLE_INDEX_SIZE = 10_000;

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
  /** Of each row that claims any of these ids, all that it does. */
  const claimed = listed
    .map(({ claims }) =>
      ids.flatMap(({ kind, value }) => {
        const told = parseId(claims?.[kind]);
        return told === undefined ? [] : [{ kind, told, isWanted: told === parseId(value) }];
      }),
    )
    .filter((row) => row.length > 0);
  const confirmed = claimed.filter((row) => row.some(({ isWanted }) => isWanted)).length;
  if (total >= WHOLE_INDEX_SIZE) return confirmed * 2 <= claimed.length;
  if (claimed.length === 0 || confirmed > 0) return false;
  // An episode has an IMDb id of its own, which some give in place of its show's; the newest posts have many.
  const all = claimed.flat();
  const isShowsOwn = query.kind === 'movie' || all.some(({ kind }) => kind !== 'imdb');
  return isShowsOwn || new Set(all.map(({ told }) => told)).size > 1;
}
