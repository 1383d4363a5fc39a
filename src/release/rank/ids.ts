/** What releases are compared by. An id is stored in people's lists: it is never renamed. */
export const CRITERION_IDS = [
  'camera',
  '3d',
  'format-score',
  'language',
  'resolution',
  'upscaled',
  'hdr',
  'remux',
  'tier',
  'audio',
  'source',
  'codec',
  'downloaded',
  'proper',
  'indexer',
  'size',
  'bitrate',
  'age',
  'grabs',
] as const;
export type CriterionId = (typeof CRITERION_IDS)[number];

/**
 * What nobody wants to see by mistake goes last; then what the person has chosen for themselves (points, languages);
 * then the picture before the sound, as media centres have always had it; among equals what is
 * there already, what was mended, and the larger one.
 */
export const DEFAULT_CRITERIA: readonly CriterionId[] = [
  'camera',
  '3d',
  'format-score',
  'language',
  'resolution',
  'upscaled',
  'hdr',
  'remux',
  'tier',
  'audio',
  'source',
  'downloaded',
  'proper',
  'indexer',
  'size',
];
