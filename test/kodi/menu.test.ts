import { describe, expect, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { ADDON_ID, type Stage, stage } from './slipstream.ts';

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
  await s.kodi.until('the search has the focus', async () => {
    const focused = await label(s);
    if (focused === '..') await s.kodi.rpc('Input.Down');
    return focused === 'Search' || undefined;
  });
  await s.kodi.rpc('Input.Select');
  await s.kodi.until('a title is asked for', () => isAskedForText(s));
}

describe.skipIf(!root)("the add-on's own menu", () => {
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
});
