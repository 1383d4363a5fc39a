import { describe, expect, test } from 'vitest';
import { SETTING_IDS } from '../../src/settings/index.ts';
import type { Effect } from './effects/effect.ts';
import { PLAYING_EFFECTS } from './effects/playing.ts';
import { RELEASE_EFFECTS } from './effects/releases.ts';
import { SERVICE_EFFECTS } from './effects/services.ts';
import { STREAMING_EFFECTS } from './effects/streaming.ts';

const EFFECTS: readonly Effect[] = [
  ...SERVICE_EFFECTS,
  ...RELEASE_EFFECTS,
  ...PLAYING_EFFECTS,
  ...STREAMING_EFFECTS,
];

describe('a setting has an effect', () => {
  test.each(EFFECTS)('$title', async ({ check }) => {
    await check();
  });

  test('that is shown above, each of them', () => {
    const shown = new Set(EFFECTS.flatMap(({ of }) => of));
    expect([...shown].sort()).toEqual([...SETTING_IDS].sort());
  });
});
