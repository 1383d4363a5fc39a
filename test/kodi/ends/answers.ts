import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ADDON, ADDON_ID, type Stage } from '../slipstream.ts';

const MARK = 'slipstream test: an answer';
const ANSWER = new RegExp(`${MARK} to (-?\\d+) `, 'g');
/** Runs before the add-on's own first line. */
const COUNTING = `import time, xbmc, xbmcplugin
_answer = xbmcplugin.setResolvedUrl
def _counted(handle, succeeded, listitem):
    # With the time: Kodi leaves out a line that is like the one before.
    xbmc.log("${MARK} to %d at %f" % (handle, time.monotonic()), xbmc.LOGINFO)
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

/** The handles that were answered so far, in their order; each call of Kodi's has its own. */
export const answers = async ({ kodi }: Stage): Promise<string[]> =>
  [...(await kodi.log()).matchAll(ANSWER)].map(([, handle = '']) => handle);
