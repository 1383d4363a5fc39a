import { action, boolean, group, integer, page } from './schema.ts';

const CHOICE = group(30041, 'Choice', [
  boolean(
    'auto_select',
    30300,
    'Play the best release at once',
    'Do not ask which release to play. A season pack that is at the backend comes first where it passes your filters.',
    false,
  ),
  boolean(
    'search_packs',
    30304,
    'Search season packs too',
    'Look for whole seasons beside the episode, unless one that passes your filters is at the backend.',
    true,
  ),
]);

const WAITING = group(30042, 'Waiting', [
  integer(
    'download_timeout',
    30302,
    'Wait for the backend (seconds)',
    'How long a release may take to become playable.',
    [600, 10, 86_400],
  ),
]);

const HELPER = group(30043, 'TMDbHelper', [
  action(
    'player_file',
    30930,
    'Player for TMDbHelper',
    'Installs, updates or removes the file by which TMDbHelper plays with Slipstream.',
    'player-file',
  ),
]);

export const PLAYBACK = page('playback', 30003, 'Playback', [CHOICE, WAITING, HELPER]);
