import { ADVANCED } from './rows/advanced.ts';
import { BACKENDS } from './rows/backends.ts';
import { CONNECTION } from './rows/connection.ts';
import type { Setting } from './rows/kinds.ts';
import { LIMITS } from './rows/limits.ts';
import { PLAYBACK } from './rows/playback.ts';
import { QUALITY } from './rows/quality.ts';
import { SORTING } from './rows/sorting.ts';
import { WORDS } from './rows/words.ts';

export type { Setting } from './rows/kinds.ts';

/**
 * Every setting, once; a file for each page. settings.xml, strings.po and the settings page of the docs are generated
 * from this table. An id is forever: a person's stored value hangs on it. String ids are explicit and never reused.
 */
export const SETTINGS = [
  ...CONNECTION,
  ...BACKENDS,
  ...QUALITY,
  ...WORDS,
  ...LIMITS,
  ...SORTING,
  ...PLAYBACK,
  ...ADVANCED,
] as const satisfies readonly Setting[];

export type SettingId = (typeof SETTINGS)[number]['id'];
