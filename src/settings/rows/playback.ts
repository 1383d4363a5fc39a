import { boolean, integer } from './kinds.ts';

export const PLAYBACK = [
  boolean(
    'auto_select',
    'playback',
    30300,
    'Play the best release at once',
    'Do not ask which release to play.',
    false,
  ),
  boolean(
    'search_packs',
    'playback',
    30304,
    'Search season packs too',
    'Look for whole seasons beside the episode.',
    true,
  ),
  integer(
    'download_timeout',
    'playback',
    30302,
    'Wait for the backend (seconds)',
    'How long a release may take to become playable.',
    [600, 10, 86_400],
  ),
  integer(
    'max_attempts',
    'playback',
    30306,
    'Releases to try',
    'When a release cannot be played, the next one is tried, up to so many altogether.',
    [3, 1, 10],
  ),
  boolean(
    'skip_failed',
    'playback',
    30308,
    'Skip what fails in a playlist',
    'A playlist goes on with its next item when none of the tried releases can be played.',
    false,
  ),
] as const;
