import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kodi } from './harness/index.ts';
import { goDownTo } from './remote-control.ts';

/** An add-on of the tests, whose list leads to others: a person's way to a play, which `Player.Open` is not. */
export const ROWS_ID = 'plugin.video.rows';

const DECLARATION = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<addon id="${ROWS_ID}" name="Rows" version="1.0.0" provider-name="Slipstream's tests">
  <requires><import addon="xbmc.python" version="3.0.0"/></requires>
  <extension point="xbmc.python.pluginsource" library="rows.py"><provides>video</provides></extension>
  <extension point="xbmc.addon.metadata"><platform>all</platform></extension>
</addon>
`;

/** Its list; for any other path an answer of "nothing", as of an add-on that finds none; without a handle a box. */
const program = (rows: readonly string[]) => `
import sys
import xbmcgui
import xbmcplugin

ROWS = ${JSON.stringify(rows)}
handle = int(sys.argv[1])
if sys.argv[0] == "plugin://${ROWS_ID}/":
    for row in ROWS:
        item = xbmcgui.ListItem(row, offscreen=True)
        item.setProperty("IsPlayable", "true")
        item.getVideoInfoTag().setTitle(row)
        xbmcplugin.addDirectoryItem(handle, row, item, False)
    xbmcplugin.endOfDirectory(handle, cacheToDisc=False)
elif handle < 0:
    xbmcgui.Dialog().ok("Rows", "Words of another add-on.")
else:
    xbmcplugin.setResolvedUrl(handle, False, xbmcgui.ListItem(offscreen=True))
`;

/** A row of that add-on's own, of which nothing comes. */
export const FOREIGN_ROW = `plugin://${ROWS_ID}/nothing`;

/** Opens a box of that add-on's. */
export const foreignBox = (kodi: Kodi) => kodi.builtin(`RunPlugin(${FOREIGN_ROW})`);

/** Makes the add-on in that folder, with these rows, and gives the folder. */
export async function rowsAddon(folder: string, rows: readonly string[]): Promise<string> {
  await writeFile(join(folder, 'addon.xml'), DECLARATION);
  await writeFile(join(folder, 'rows.py'), program(rows));
  return folder;
}

/** Opens the list, or that of another add-on. */
export async function openRows(kodi: Kodi, addonId = ROWS_ID): Promise<void> {
  await kodi.builtin(`ActivateWindow(videos,plugin://${addonId}/,return)`);
  await kodi.until(
    'the list is there',
    async () => (await kodi.infoLabel('Container.FolderPath')).includes(addonId) || undefined,
  );
}

/** Moves the focus to the row with this address and presses Select; Kodi's playlist player plays it. */
export async function selectRow(kodi: Kodi, row: string): Promise<void> {
  await focusRow(kodi, row);
  await kodi.rpc('Input.Select');
}

/** Moves the focus to the row with this address. */
export async function focusRow(kodi: Kodi, row: string): Promise<void> {
  await goDownTo(kodi, 'ListItem.FileNameAndPath', (address) => address === row);
}
