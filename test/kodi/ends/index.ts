import { CANCELLED, FAILED } from './before.ts';
import type { End } from './end.ts';
import { ENGINE_LOST } from './engine.ts';
import { BY_KODI, BY_THE_PERSON, LOST } from './playing.ts';

/** Every way in which a play can end. */
export const ENDS: readonly End[] = [
  ...CANCELLED,
  ...FAILED,
  ...BY_THE_PERSON,
  ...LOST,
  ...ENGINE_LOST,
  ...BY_KODI,
];
