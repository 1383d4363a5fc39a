import { choice, integer, text } from './kinds.ts';

export const SORTING = [
  choice('sort_by', 'sorting', 30800, 'Order', 'What stands at the top of the list.', [
    { value: 'best', label: 'Best first', stringId: 30802 },
    { value: 'largest', label: 'Largest first', stringId: 30803 },
    { value: 'smallest', label: 'Smallest first', stringId: 30804 },
    { value: 'newest', label: 'Newest first', stringId: 30805 },
  ]),
  integer(
    'bitrate_limit_mbit',
    'sorting',
    30806,
    'Connection speed (Mbit/s)',
    'With "Best first", releases that need more stand behind the others. 0: what it sustained while you played. Needs the running time.',
    [0, 0, 10_000],
  ),
  text(
    'preferred_groups_1',
    'sorting',
    30808,
    'Preferred groups',
    'Comma-separated names of release groups that stand before others of the same quality.',
  ),
  text(
    'preferred_groups_2',
    'sorting',
    30810,
    'Preferred groups, second',
    'These come behind the first ones.',
  ),
  text(
    'preferred_groups_3',
    'sorting',
    30812,
    'Preferred groups, third',
    'These come behind the second ones.',
  ),
  text(
    'preferred_indexers',
    'sorting',
    30814,
    'Preferred indexers',
    'Comma-separated, the preferred one first. Counts between releases that are equal otherwise.',
  ),
] as const;
