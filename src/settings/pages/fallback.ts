import { action, boolean, group, integer, page, shownWhen } from './schema.ts';

const AT_START = group(30044, 'Before the film starts', [
  integer(
    'max_attempts',
    30306,
    'Releases to try',
    'When a release cannot be played, the next one is tried, up to so many altogether.',
    [3, 1, 10],
  ),
  boolean(
    'skip_failed',
    30308,
    'Skip what fails in a playlist',
    'A playlist goes on with its next item when none of the tried releases can be played.',
    false,
  ),
]);

const WHILE_PLAYING = group(30045, 'While the film plays', [
  boolean(
    'restart_broken',
    30600,
    'Play on what breaks off',
    'A film that breaks off before its end is played again from there.',
    true,
  ),
  shownWhen(
    'restart_broken',
    true,
    integer(
      'restart_times',
      30602,
      'How often in a row',
      'So often a film is played again that breaks off at one place.',
      [3, 1, 10],
    ),
  ),
  boolean(
    'replace_lost',
    30604,
    'Go on with another release',
    'When a film cannot be read any further, the next release is played from about the same second on.',
    true,
  ),
  shownWhen(
    'replace_lost',
    true,
    integer(
      'replace_attempts',
      30606,
      'Other releases to try',
      'So many are tried for one film; no more than were left when it was started.',
      [3, 1, 10],
    ),
  ),
  shownWhen(
    'replace_lost',
    true,
    integer(
      'replace_minutes',
      30608,
      'Wait for it (minutes)',
      'The other release plays within this time, or not at all: a film that starts by itself later startles.',
      [3, 1, 30],
    ),
  ),
]);

const REPORTED = group(30046, 'What went wrong', [
  action('failure', 30932, 'What failed last', 'What failed, why, and what to do about it.', 'failure'),
  action(
    'report',
    30934,
    'Export a report',
    'Writes a file for whoever helps you. It holds no keys and no passwords.',
    'report',
  ),
]);

export const FALLBACK = page('fallback', 30009, 'When something fails', [AT_START, WHILE_PLAYING, REPORTED]);
