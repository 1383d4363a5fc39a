import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kodi } from './harness/index.ts';

/** An add-on of the tests that finds films and has them played by us, with the Kodi calls of TMDbHelper in their order. */
export const FINDER_ID = 'plugin.video.finder';

/** What the add-on knows: the query of its own row, and the plugin:// call of ours that plays it. */
export interface Found {
  readonly query: string;
  readonly call: string;
}

/**
 * When it queues the row and all behind it: never; once the film plays, unless Kodi is in the midst of a list (TMDbHelper
 * 5.2); always, before it answers Kodi (6.x).
 */
export type Queueing = 'never' | 'once-it-plays' | 'before-the-answer';

const DECLARATION = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<addon id="${FINDER_ID}" name="Finder" version="1.0.0" provider-name="Slipstream's tests">
  <requires><import addon="xbmc.python" version="3.0.0"/></requires>
  <extension point="xbmc.python.pluginsource" library="finder.py"><provides>video</provides></extension>
  <extension point="xbmc.addon.metadata"><platform>all</platform></extension>
</addon>
`;

export const finderRow = ({ query }: Pick<Found, 'query'>): string => `plugin://${FINDER_ID}/?${query}`;

const program = (found: readonly Found[], queueing: Queueing) => `
import sys
import xbmc
import xbmcgui
import xbmcplugin

FOUND = ${JSON.stringify(found.map((one) => [finderRow(one), one.call]))}
QUEUEING = "${queueing}"
films = xbmc.PlayList(xbmc.PLAYLIST_VIDEO)


def entry(path, name):
    item = xbmcgui.ListItem(name, path=path, offscreen=True)
    item.setProperty("IsPlayable", "true")
    item.getVideoInfoTag().setTitle(name)
    return item


def queue_from(position):
    films.clear()
    for row, _ in FOUND[position:]:
        films.add(row, entry(row, row))


def answer(handle, path):
    position = [row for row, _ in FOUND].index(path)
    if QUEUEING == "before-the-answer":
        queue_from(position)
    xbmcplugin.setResolvedUrl(handle, True, entry(FOUND[position][1], path))
    if QUEUEING == "once-it-plays":
        monitor, player = xbmc.Monitor(), xbmc.Player()
        while not player.isPlaying() and not monitor.waitForAbort(0.25):
            pass
        if films.getposition() == 0:
            queue_from(position)


if not sys.argv[0].startswith("plugin://"):
    call = FOUND[int(sys.argv[1])][1]
    xbmc.Player().play(call, entry(call, call))
elif sys.argv[2] == "":
    for row, _ in FOUND:
        xbmcplugin.addDirectoryItem(int(sys.argv[1]), row, entry(row, row), False)
    xbmcplugin.endOfDirectory(int(sys.argv[1]), cacheToDisc=False)
else:
    answer(int(sys.argv[1]), sys.argv[0] + sys.argv[2])
`;

/** Makes the add-on in that folder, and gives the folder. */
export async function finderAddon(
  folder: string,
  found: readonly Found[],
  queueing: Queueing,
): Promise<string> {
  await writeFile(join(folder, 'addon.xml'), DECLARATION);
  await writeFile(join(folder, 'finder.py'), program(found, queueing));
  return folder;
}

/** As TMDbHelper's script does, which Kodi gives no handle: plays the film at that position by Player.play. */
export const playWithoutHandle = (kodi: Kodi, position: number) =>
  kodi.builtin(`RunScript(${FINDER_ID},${position})`);
