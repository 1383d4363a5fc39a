import { boolean, group, integer, page } from './schema.ts';

const SIZE = group(30037, 'Size', [
  integer(
    'min_size_mb',
    30210,
    'Smallest size (MB)',
    'Reject smaller releases. 0: no limit.',
    [0, 0, 1_000_000],
  ),
  integer(
    'max_size_mb',
    30212,
    'Largest size (MB)',
    'Reject larger releases. 0: no limit. Below the smallest size, neither counts.',
    [0, 0, 1_000_000],
  ),
  integer(
    'min_mb_per_minute',
    30582,
    'Smallest size per minute (MB)',
    'Reject releases with less for each minute. 0: no limit. Needs the running time.',
    [0, 0, 10_000],
  ),
  integer(
    'max_mb_per_minute',
    30584,
    'Largest size per minute (MB)',
    'Reject releases with more for each minute. 0: no limit. Below the smallest, neither counts.',
    [0, 0, 10_000],
  ),
]);

const POST = group(30038, 'Post', [
  integer(
    'min_age_days',
    30586,
    'Youngest age (days)',
    'Reject posts that are younger. 0: no limit.',
    [0, 0, 10_000],
  ),
  integer(
    'max_age_days',
    30588,
    'Oldest age (days)',
    'Reject posts that are older. 0: no limit. Below the youngest age, neither counts.',
    [0, 0, 10_000],
  ),
  integer(
    'min_grabs',
    30590,
    'Fewest downloads',
    'Reject posts that fewer people have downloaded, where the indexer tells. 0: no limit.',
    [0, 0, 100_000],
  ),
  boolean(
    'allow_protected',
    30592,
    'Show protected posts',
    'Offer posts that the indexer knows to be protected by a password. They can hardly ever be played.',
    false,
  ),
]);

export const LIMITS = page('limits', 30006, 'Limits', [SIZE, POST]);
