import { atLevel, boolean, group, integer, page, shownWhen } from './schema.ts';

/** What the local proxy does; what is played without it knows none of these. */
const READING = group(30047, 'Reading ahead', [
  integer(
    'read_ahead_mb',
    30610,
    'Memory for reading ahead (MB)',
    'For each film that plays. More bridges longer breaks, and needs a box that has it. Counts from the next film on.',
    [32, 12, 512],
  ),
  atLevel(
    'standard',
    integer(
      'most_connections',
      30612,
      'Connections at once',
      'The most that read one film, where more of them are faster. Each may take one of your usenet account.',
      [6, 1, 16],
    ),
  ),
]);

const LOST_PARTS = group(30048, 'Lost parts', [
  boolean(
    'bridge_gaps',
    30614,
    'Play across lost parts',
    'What can no longer be had of a film is bridged: a picture may freeze for a moment, and the film goes on.',
    true,
  ),
  shownWhen(
    'bridge_gaps',
    true,
    atLevel(
      'standard',
      integer(
        'bridge_most_mb',
        30616,
        'At most (MB)',
        'A film that lacks more, or more than a fiftieth of it, is given up.',
        [64, 1, 1_024],
      ),
    ),
  ),
]);

const TIMEOUTS = group(30049, 'Patience', [
  integer(
    'open_patience',
    30618,
    'Wait for a file to open (seconds)',
    'How long the file server may take for the first bytes, before the next release is tried.',
    [15, 5, 20],
  ),
  atLevel(
    'advanced',
    integer(
      'stall_patience',
      30620,
      'Wait for a silent server (seconds)',
      'How long nothing may come while a film plays: up to 9 s once it has begun, up to 20 s before that. Kodi itself waits no longer.',
      [9, 4, 20],
    ),
  ),
]);

export const RESILIENCE = page('resilience', 30010, 'Resilience', [READING, LOST_PARTS, TIMEOUTS]);
