import type { Setting } from '../../src/settings/index.ts';

/** Kodi's settings levels; a person sees the settings up to the chosen one, which is "standard" at first. */
const LEVEL = { basic: 0, advanced: 2 } as const;

export interface Category {
  readonly id: Setting['category'];
  readonly label: string;
  /** Number of the label in strings.po. Never reused. */
  readonly stringId: number;
  readonly level: number;
}

/** The pages of the settings dialog, in their order on screen. */
export const CATEGORIES: readonly Category[] = [
  { id: 'connection', label: 'Connection', stringId: 30001, level: LEVEL.basic },
  { id: 'backends', label: 'Backends', stringId: 30008, level: LEVEL.basic },
  { id: 'quality', label: 'Quality', stringId: 30002, level: LEVEL.basic },
  { id: 'words', label: 'Words, languages, groups', stringId: 30005, level: LEVEL.basic },
  { id: 'limits', label: 'Limits', stringId: 30006, level: LEVEL.basic },
  { id: 'sorting', label: 'Sorting', stringId: 30007, level: LEVEL.basic },
  { id: 'playback', label: 'Playback', stringId: 30003, level: LEVEL.basic },
  { id: 'advanced', label: 'Advanced', stringId: 30004, level: LEVEL.advanced },
];
