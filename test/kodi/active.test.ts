import { expect, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { ADDON_ID, SINTEL, stage } from './slipstream.ts';

const root = await rootOrSkip('svc.active in a real Kodi 21');

test.skipIf(!root)('svc.active stands from the first step of a play, and goes with its end', async () => {
  const s = await stage(root!, { settings: { auto_select: 'false' } });
  const { kodi } = s;
  const open = async () => {
    await s.open(`/play?${SINTEL}`);
    await kodi.until(
      'the list is up',
      async () => (await kodi.infoLabel('Container(50).ListItem.Label')) || undefined,
    );
    expect(await s.raised()).toEqual(['svc.active']);
  };
  await open();
  await kodi.rpc('Input.Back');
  await s.nothingLeft();
  await open();
  for (const pid of s.engines('plugin')) process.kill(pid, 'SIGKILL');
  await s.nothingLeft();
});

test.skipIf(!root)(
  'a film that plays on through an update of the add-on is announced and watched',
  async () => {
    const s = await stage(root!);
    const { kodi } = s;
    const enable = (enabled: boolean) => kodi.rpc('Addons.SetAddonEnabled', { addonid: ADDON_ID, enabled });
    await s.open(`/play?${SINTEL}`);
    await kodi.until('it is watched', async () => (await s.raised()).length === 3 || undefined);
    await kodi.until('it plays', async () => ((await kodi.player.position()) ?? 0) > 3 || undefined);
    const url = await kodi.homeProperty('svc.stream_url');
    await enable(false);
    await kodi.until('the service is gone', () =>
      Promise.resolve(s.engines('service').length === 0 || undefined),
    );
    expect(await s.raised()).toEqual([]);
    await enable(true);
    await kodi.until('it is watched again', async () => (await s.raised()).length === 3 || undefined);
    expect(await kodi.homeProperty('svc.stream_url')).toBe(url);
    await kodi.player.stop();
    await s.nothingLeft();
  },
);
