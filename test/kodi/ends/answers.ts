import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ADDON, ADDON_ID, type Stage } from '../slipstream.ts';

const MARK = 'slipstream test: an answer';
/** Runs before the add-on's own first line. */
const COUNTING = `import time, xbmc, xbmcplugin
_answer = xbmcplugin.setResolvedUrl
def _counted(handle, succeeded, listitem):
    # Kodi leaves out a line that is like the one before.
    xbmc.log("${MARK} %f" % time.monotonic(), xbmc.LOGINFO)
    return _answer(handle, succeeded, listitem)
xbmcplugin.setResolvedUrl = _counted
`;

/** The built add-on, which writes each answer to Kodi into its log. */
export async function countingAddon(): Promise<string> {
  const folder = join(temporaryFolder(), ADDON_ID);
  await cp(ADDON, folder, { recursive: true });
  const script = join(folder, 'addon.py');
  await writeFile(script, COUNTING + (await readFile(script, 'utf8')));
  return folder;
}

/** How often a call of Kodi's was answered so far. */
export const answers = async ({ kodi }: Stage): Promise<number> => (await kodi.log()).split(MARK).length - 1;
