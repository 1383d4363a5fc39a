import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { saveAndFinish } from './phone.ts';
import { choose, inWindow, pick } from './remote-control.ts';
import { ADDON, ADDON_ID, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip("the add-on's own menu in a real Kodi 21");
const MENU = `plugin://${ADDON_ID}/`;

async function label({ kodi }: Stage): Promise<string> {
  const labels = (await kodi.rpc('XBMC.GetInfoLabels', { labels: ['ListItem.Label'] })) as Record<
    string,
    string
  >;
  return labels['ListItem.Label'] ?? '';
}

async function isAskedForText({ kodi }: Stage): Promise<true | undefined> {
  const name = 'Window.IsActive(virtualkeyboard)';
  const answer = (await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [name] })) as Record<string, boolean>;
  return answer[name] === true ? true : undefined;
}

/** Opens the add-on as a person does, and its search; gives once the keyboard is up. */
async function openSearch(s: Stage): Promise<void> {
  await s.kodi.rpc('GUI.ActivateWindow', { window: 'videos', parameters: [MENU, 'return'] });
  await s.kodi.until('the search has the focus', async () => (await label(s)) === 'Search' || undefined);
  await s.kodi.rpc('Input.Select');
  await s.kodi.until('a title is asked for', () => isAskedForText(s));
}

/** Opens it as a person does, where nothing is set up: the set-up comes by itself, and the person goes back. */
async function openUnset(): Promise<Stage> {
  const s = await stage(root!, { kodi: { addonSettings: {} } });
  await s.kodi.rpc('GUI.ActivateWindow', { window: 'videos', parameters: [MENU, 'return'] });
  await inWindow(s.kodi, 'Set up Slipstream');
  return s;
}

/** The rows that Kodi shows, below the one that leads out. */
const shownRows = ({ kodi }: Stage) =>
  Promise.all([1, 2, 3].map((at) => kodi.infoLabel(`Container.ListItemAbsolute(${at}).Label`)));

describe.skipIf(!root)("the add-on's own menu", () => {
  test('begins with the focus on its first row, and each row has a picture of its own', async () => {
    const s = await stage(root!);
    await s.kodi.rpc('GUI.ActivateWindow', { window: 'videos', parameters: [MENU, 'return'] });
    await s.kodi.until('Search has the focus', async () => (await label(s)) === 'Search' || undefined);
    const { files } = (await s.kodi.rpc('Files.GetDirectory', {
      directory: MENU,
      media: 'video',
      properties: ['art'],
    })) as { files: { art: { icon: string } }[] };
    const pictures = files.map(({ art }) => /%2f([\w-]+\.png)/i.exec(art.icon)?.[1] ?? art.icon);
    expect(new Set(pictures).size).toBe(files.length);
    await Promise.all(pictures.map((name) => access(join(ADDON, 'resources/menu', name))));
    await s.nothingLeft();
  });

  test('tells the truth as soon as the set-up is over, also when no film is played', async () => {
    const s = await openUnset();
    await pick(s.kodi, 'Set up Slipstream', 'With a phone');
    await saveAndFinish(s, s.sandbox.settings);
    await pick(s.kodi, 'Everything works', 'Finish');
    await pick(s.kodi, 'Slipstream is set up', 'Close');
    await expect.poll(() => shownRows(s), { timeout: 10_000 }).toContain('Search');
    await s.sandbox.shut('indexer');
    await choose(s.kodi, 'Search', 'Up');
    await s.kodi.until('a title is asked for', () => isAskedForText(s));
    await s.kodi.rpc('Input.SendText', { text: 'Sintel 2010', done: true });
    await expect.poll(() => shownRows(s), { timeout: 20_000 }).toContain('What failed last');
  });

  test('is where somebody is who leaves the set-up that has opened by itself', async () => {
    const s = await openUnset();
    await s.kodi.rpc('Input.Back');
    await s.nothingLeft();
    await choose(s.kodi, 'Set up from a phone');
    await inWindow(s.kodi, 'Set up from your phone');
    await s.kodi.rpc('Input.Back');
    await s.nothingLeft();
  });

  test('offers a search, and leaves nothing behind', async () => {
    const s = await stage(root!);
    const { files } = (await s.kodi.rpc('Files.GetDirectory', {
      directory: MENU,
      media: 'video',
      properties: ['plot'],
    })) as { files: { label: string; file: string; filetype: string; plot: string }[] };
    expect(files[0]).toMatchObject({ label: 'Search', file: `${MENU}search`, filetype: 'file' });
    expect(files.filter(({ plot }) => plot === '')).toEqual([]);
    await s.nothingLeft();
  });

  test('plays the film whose title is written', async () => {
    const s = await stage(root!);
    await openSearch(s);
    await s.kodi.rpc('Input.SendText', { text: 'Sintel 2010', done: true });
    await s.kodi.until('it plays', async () => (await s.raised()).length === 3 || undefined, 60_000);
    await s.kodi.player.stop();
    await s.nothingLeft();
  });

  test('plays nothing when the person goes back', async () => {
    const s = await stage(root!);
    await openSearch(s);
    await s.kodi.rpc('Input.Back');
    await s.nothingLeft();
    expect(s.sandbox.requests).toEqual([]);
  });

  test('belongs to an add-on that stands once, under Video, and may be started as a script', async () => {
    const { kodi } = await stage(root!);
    const names = async (place: string) => {
      const directory = `addons://sources/${place}/`;
      const { files = [] } = (await kodi.rpc('Files.GetDirectory', { directory })) as {
        files?: { label: string }[];
      };
      return files.map(({ label }) => label).filter((label) => label === 'Slipstream');
    };
    expect(await Promise.all(['video', 'executable', 'audio'].map(names))).toEqual([['Slipstream'], [], []]);
    // What is no play ends at once, and says so.
    await kodi.builtin(`RunScript(${ADDON_ID},nothing)`);
    await kodi.until('it ran', async () => (await kodi.log()).includes('INVALID_REQUEST') || undefined);
    expect(await kodi.log()).not.toContain('non-script addon');
  });
});
