import { expect, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openRows, rowsAddon, selectRow } from './rows.ts';
import { ADDON, ADDON_ID, SINTEL, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('an update of the add-on in a real Kodi 21');

const ROW = `plugin://${ADDON_ID}/play?${SINTEL}`;

const beyond = ({ kodi }: Stage, seconds: number) =>
  kodi.until(
    `the time is beyond ${seconds} s`,
    async () => ((await kodi.player.position()) ?? 0) > seconds || undefined,
    60_000,
  );

/** The service ends, and another one comes, as when Kodi installs a newer version. */
async function update({ kodi, engines }: Stage): Promise<void> {
  const enable = (enabled: boolean) => kodi.rpc('Addons.SetAddonEnabled', { addonid: ADDON_ID, enabled });
  await enable(false);
  await kodi.until('the service is gone', () =>
    Promise.resolve(engines('service').length === 0 || undefined),
  );
  await enable(true);
  await kodi.until(
    'the proxy is published',
    async () => (await kodi.homeProperty('svc.proxy_token')) || undefined,
  );
}

test.skipIf(!root)(
  'the row of a film that was played before an update of the add-on plays it again, where it was left',
  async () => {
    const s = await stage(root!, { kodi: { addons: [ADDON, await rowsAddon(temporaryFolder(), [ROW])] } });
    const { kodi, sandbox } = s;
    await openRows(kodi);
    await selectRow(kodi, ROW);
    await beyond(s, 1);
    await kodi.player.seek(400);
    await beyond(s, 402);
    const url = await kodi.homeProperty('svc.stream_url');
    await kodi.player.stop();
    await s.nothingLeft();
    const jobs = sandbox.jobs().map(({ name }) => name);
    await update(s);
    // The row holds the address of before, and Kodi opens it without a call.
    expect(await kodi.homeProperty('svc.proxy_port')).toBe(new URL(url).port);
    await kodi.until('the row has the focus', async () => (await kodi.isActive('videos')) || undefined);
    await kodi.rpc('Input.Select');
    await kodi.until(
      'it is looked for anew',
      async () => {
        // Kodi asks by itself where to begin.
        if (await kodi.isActive('contextmenu')) await kodi.rpc('Input.Select');
        return (await kodi.homeProperty('svc.stream_url')) || undefined;
      },
      60_000,
    );
    await beyond(s, 395);
    expect(await kodi.homeProperty('svc.stream_url')).not.toBe(url);
    expect(await kodi.infoLabel('VideoPlayer.Title')).toBe('Sintel');
    expect(await kodi.isActive('okdialog')).toBe(false);
    expect(sandbox.jobs().map(({ name }) => name)).toEqual(jobs);
    await kodi.player.stop();
    await s.nothingLeft();
  },
);
