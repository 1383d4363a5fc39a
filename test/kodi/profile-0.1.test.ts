import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { choose, focused, inWindow } from './remote-control.ts';
import { ADDON_ID, stage } from './slipstream.ts';

const root = await rootOrSkip('a profile of version 0.1 in a real Kodi 21');
const FIXTURE = join(import.meta.dirname, '../fixtures/profile-0.1-kodi/addon_data');

const FILES = readdirSync(FIXTURE, { recursive: true, encoding: 'utf8' }).filter((name) =>
  statSync(join(FIXTURE, name)).isFile(),
);
const bytesIn = (folder: string) =>
  Object.fromEntries(FILES.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));

describe.skipIf(!root)('a finished profile of 0.1', () => {
  test('opens the menu and the set-up with nothing changed and nothing asked', async () => {
    const s = await stage(root!, { kodi: { addonSettings: {}, addonData: { [ADDON_ID]: FIXTURE } } });
    const { kodi } = s;
    await kodi.builtin(`ActivateWindow(videos,plugin://${ADDON_ID}/,return)`);
    // No set-up comes by itself.
    await kodi.until('the menu is there', async () => (await focused(kodi)) === 'Search' || undefined);
    expect(await kodi.infoLabel('Container.ListItemAbsolute(2).Label')).toBe('What failed last');
    await choose(kodi, 'Set up');
    await inWindow(kodi, 'Set up Slipstream');
    // Not what somebody new is asked, and no set-up to go on with.
    expect(await kodi.infoLabel('Window.Property(title)')).toBe('Set up Slipstream');
    await kodi.until(
      'its first way has the focus',
      async () => (await focused(kodi)) === 'With a phone' || undefined,
    );
    await kodi.rpc('Input.Back');
    await s.nothingLeft();
    const data = join(kodi.profile.folder, '.kodi/userdata/addon_data', ADDON_ID);
    const kept = () => {
      expect(bytesIn(data)).toEqual(bytesIn(FIXTURE));
      expect(readdirSync(data)).not.toContain('first-run.json');
    };
    kept();
    await kodi.quit();
    kept();
  });
});
