import { atLevel, boolean, group, integer, page } from './schema.ts';

const SEARCH = group(30050, 'Search', [
  atLevel(
    'advanced',
    integer(
      'search_timeout',
      30400,
      'Wait for the indexer (seconds)',
      'How long a search may take.',
      [30, 3, 300],
    ),
  ),
  atLevel(
    'advanced',
    integer(
      'search_deadline',
      30402,
      'Show the list after (seconds)',
      'The list is up by then at the latest, whoever still searches.',
      [20, 3, 300],
    ),
  ),
  atLevel(
    'advanced',
    integer(
      'cache_minutes',
      30404,
      'Remember results (minutes)',
      'How long the results of a search are used again. 0: never.',
      [10, 0, 1_440],
    ),
  ),
]);

const LOG = group(30051, 'Log', [
  atLevel(
    'advanced',
    boolean(
      'log_decisions',
      30406,
      'Log what becomes of a stream',
      'Writes into the log of Kodi what is tried again, bridged or given up while a film plays, and why.',
      false,
    ),
  ),
]);

export const ADVANCED = page('advanced', 30004, 'Advanced', [SEARCH, LOG]);
