import { integer } from './kinds.ts';

export const ADVANCED = [
  integer(
    'search_timeout',
    'advanced',
    30400,
    'Wait for the indexer (seconds)',
    'How long a search may take.',
    [30, 3, 300],
  ),
  integer(
    'search_deadline',
    'advanced',
    30402,
    'Show the list after (seconds)',
    'The list is up by then at the latest, whoever still searches.',
    [20, 3, 300],
  ),
  integer(
    'cache_minutes',
    'advanced',
    30404,
    'Remember results (minutes)',
    'How long the results of a search are used again. 0: never.',
    [10, 0, 1_440],
  ),
] as const;
