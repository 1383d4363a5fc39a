import { describe, expect, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { saveAndFinish } from './phone.ts';
import { pick } from './remote-control.ts';
import { ADDON_ID, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('the set-up from a phone in a real Kodi 21');

/** A Kodi whose Slipstream is not set up, with the code for a phone on its screen. */
async function withCode(): Promise<Stage> {
  const s = await stage(root!, { kodi: { addonSettings: {} } });
  await s.kodi.builtin(`ActivateWindow(videos,plugin://${ADDON_ID}/,return)`);
  await pick(s.kodi, 'Set up Slipstream', 'With a phone');
  return s;
}

const rowDetail = ({ kodi }: Stage) => kodi.infoLabel('Container(50).ListItem.Property(detail)');

describe.skipIf(!root)('after "Save and finish" on the phone', () => {
  test('the TV tells what works, and offers the film', async () => {
    const s = await withCode();
    await saveAndFinish(s, s.sandbox.settings);
    await pick(s.kodi, 'Everything works', 'Play Big Buck Bunny');
    await s.kodi.until('it plays', async () => ((await s.kodi.player.position()) ?? 0) > 1 || undefined);
    await s.kodi.player.stop();
    await s.nothingLeft();
  });

  test('the TV tells what is wrong', async () => {
    const s = await withCode();
    await saveAndFinish(s, { ...s.sandbox.settings, webdav_api_key: 'wrong-key' });
    await s.kodi.until('what is wrong is told', async () => {
      const title = await s.kodi.infoLabel('Window.Property(title)');
      return title === 'Something does not work yet' || undefined;
    });
    await s.windowIsUp();
    await expect.poll(() => rowDetail(s)).toContain('refused');
    await s.kodi.rpc('Input.Back');
  });
});
