/** What strangers make to hold the service up, beside the largest NZB that is honest. */
export const CRAFTED = [
  'NZB of 12 MB',
  'of 20,000 files',
  'of 20,000 videos',
  'of 20,000 volumes',
  'of 20,000 files of one name',
  'of "&"',
  'of "&" between tags',
  'feed of "&"',
  'feed of "&" between tags',
  'Voids like BlockGroups',
  'Clusters in a row',
] as const;

export type CraftedName = (typeof CRAFTED)[number];

export const RUNS = 5;
