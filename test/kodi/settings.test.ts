import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pause } from '../../src/io/wait.ts';
import { PAGES } from '../../src/settings/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import type { Kodi } from './harness/index.ts';
import { goDownTo } from './remote-control.ts';
import { ADDON_ID, quitsClean, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('the settings in a real Kodi 21');

/** Where pictures of the pages go, for somebody to look at; without it none is taken. */
const PICTURES = process.env['SLIPSTREAM_PICTURES'];

/** Kodi's id of the button of the dialog's first page. */
const FIRST_PAGE = -200;

const isActive = async (kodi: Kodi, window: string) => {
  const name = `Window.IsActive(${window})`;
  const answer = (await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [name] })) as Record<string, boolean>;
  return answer[name] === true;
};
const settingsAreUp = (kodi: Kodi) =>
  kodi.until('the settings are open', async () => (await isActive(kodi, 'addonsettings')) || undefined);
const settingsAreClosed = (kodi: Kodi) =>
  kodi.until('the settings are closed', async () => !(await isActive(kodi, 'addonsettings')) || undefined);

async function openSettings(kodi: Kodi): Promise<void> {
  await kodi.builtin(`Addon.OpenSettings(${ADDON_ID})`);
  await settingsAreUp(kodi);
}

const focusIs = (kodi: Kodi, label: string) =>
  kodi.until(
    `"${label}" has the focus`,
    async () => (await kodi.infoLabel('System.CurrentControl')).includes(label) || undefined,
  );

async function goToPage(kodi: Kodi, id: string): Promise<void> {
  const index = PAGES.findIndex((page) => page.id === id);
  await kodi.builtin(`SetFocus(${FIRST_PAGE + index})`);
  await focusIs(kodi, PAGES[index]!.label);
}

/** Goes down the page until that row has the focus, and presses it. */
async function press(kodi: Kodi, label: string): Promise<void> {
  await goDownTo(kodi, 'System.CurrentControl', (row) => row.includes(label));
  await kodi.rpc('Input.Select');
}

/** The labels of the rows that the page shows, from the top on. */
async function rowsOfPage(kodi: Kodi, id: string): Promise<string[]> {
  await goToPage(kodi, id);
  const labels = [await moved(kodi, 'Right', await kodi.infoLabel('System.CurrentControl'))];
  for (;;) {
    const next = await moved(kodi, 'Down', labels.at(-1)!);
    if (next === labels[0]) return labels;
    labels.push(next);
  }
}

async function moved(kodi: Kodi, key: string, from: string): Promise<string> {
  await kodi.rpc(`Input.${key}`);
  return kodi.until(`the focus leaves "${from}"`, async () => {
    const now = await kodi.infoLabel('System.CurrentControl');
    return now === from || now === '' ? undefined : now;
  });
}

async function picture(kodi: Kodi, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await pause(1_000, new AbortController().signal);
  await kodi.screenshot(join(PICTURES, `settings-${name}.png`));
}

/** What Kodi complained of since the settings were opened first. */
async function complaints(kodi: Kodi): Promise<string[]> {
  const [, since = ''] = (await kodi.log()).split('DialogAddonSettings.xml');
  return since.split('\n').filter((line) => / error | warning /.test(line) && !line.includes('Sink Timer'));
}

/** What Kodi has stored; undefined: nothing yet. */
async function stored({ kodi }: Stage, id: string): Promise<string | undefined> {
  const path = join(kodi.profile.folder, '.kodi/userdata/addon_data', ADDON_ID, 'settings.xml');
  const xml = await readFile(path, 'utf8').catch(() => '');
  return new RegExp(`<setting id="${id}"[^>]*>([^<]*)<`).exec(xml)?.[1];
}

describe.skipIf(!root)('the settings', () => {
  test('open page by page, show what applies, and leave no complaint in the log', async () => {
    const s = await stage(root!, { settings: { hydra_url: '' } });
    await openSettings(s.kodi);
    for (const { id } of PAGES.slice(0, -1)) {
      await goToPage(s.kodi, id);
      await picture(s.kodi, id);
    }
    const connection = await rowsOfPage(s.kodi, 'connection');
    expect(connection).toEqual(expect.arrayContaining([expect.stringContaining('NZBHydra2 address')]));
    expect(connection.join()).not.toContain('NZBHydra2 API key');
    // That of the indexer, which is set up.
    expect(connection.filter((label) => label.includes('Test'))).toHaveLength(1);
    const backends = (await rowsOfPage(s.kodi, 'backends')).join();
    expect(backends).toContain('nzbdav API key');
    expect(backends).not.toContain('NZBGet');
    await s.kodi.rpc('Input.Back');
    await settingsAreClosed(s.kodi);
    expect(await complaints(s.kodi)).toEqual([]);
    await quitsClean(s.kodi);
  });

  test('keep what is changed before a button does what it says, and come back to its page', async () => {
    const s = await stage(root!);
    const { kodi } = s;
    await openSettings(kodi);
    await goToPage(kodi, 'playback');
    await kodi.rpc('Input.Right');
    await press(kodi, 'Play the best release at once');
    await press(kodi, 'Player for TMDbHelper');
    await s.windowIsUp();
    expect(await stored(s, 'auto_select')).toBe('false');
    await picture(kodi, 'button');
    await kodi.rpc('Input.Back');
    await settingsAreUp(kodi);
    await focusIs(kodi, 'Playback');
    await kodi.rpc('Input.Back');
    await settingsAreClosed(kodi);
    await s.nothingLeft();
    expect(await complaints(kodi)).toEqual([]);
    await quitsClean(kodi);
  });
});
