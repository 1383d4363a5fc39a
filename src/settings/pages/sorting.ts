import { action, atLevel, choice, group, integer, page, shownWhen, text } from './schema.ts';

const ORDER = group(30039, 'Order', [
  choice('sort_by', 30800, 'Order', 'What stands at the top of the list.', [
    { value: 'best', label: 'Best first', stringId: 30802 },
    { value: 'largest', label: 'Largest first', stringId: 30803 },
    { value: 'smallest', label: 'Smallest first', stringId: 30804 },
    { value: 'newest', label: 'Newest first', stringId: 30805 },
  ]),
  shownWhen(
    'sort_by',
    'best',
    action('order', 30926, 'What makes a release better', 'What counts, and what counts most.', 'order'),
  ),
  shownWhen(
    'sort_by',
    'best',
    integer(
      'bitrate_limit_mbit',
      30806,
      'Connection speed (Mbit/s)',
      'With "Best first", releases that need more stand behind the others. 0: what it sustained while you played. Needs the running time.',
      [0, 0, 10_000],
    ),
  ),
  atLevel(
    'standard',
    action(
      'formats',
      30928,
      'Custom formats',
      'Points for what you like or dislike in a release, also from Radarr, Sonarr and the TRaSH guides.',
      'formats',
    ),
  ),
]);

const PREFERRED = group(30040, 'Preferred', [
  text(
    'preferred_groups_1',
    30808,
    'Preferred groups',
    'Comma-separated names of release groups that stand before others of the same quality.',
  ),
  text('preferred_groups_2', 30810, 'Preferred groups, second', 'These come behind the first ones.'),
  text('preferred_groups_3', 30812, 'Preferred groups, third', 'These come behind the second ones.'),
  text(
    'preferred_indexers',
    30814,
    'Preferred indexers',
    'Comma-separated, the preferred one first. Counts between releases that are equal otherwise.',
  ),
]);

export const SORTING = page('sorting', 30007, 'Sorting', [ORDER, PREFERRED]);
