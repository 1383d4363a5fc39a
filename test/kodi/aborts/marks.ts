import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ADDON } from '../slipstream.ts';

/** What Kodi's log says as soon as Python has come to our program. */
export const BEGUN = 'slipstream-test: begun';

/** The built add-on, whose very first act is that line. */
export const markedAddon = (): Promise<string> =>
  addonThatFirst(`import xbmc; xbmc.log("${BEGUN}", xbmc.LOGINFO)`);

/** The built add-on, each of whose plugin processes runs this Python before its own. */
export async function addonThatFirst(python: string): Promise<string> {
  const folder = temporaryFolder();
  await cp(ADDON, folder, { recursive: true });
  const program = join(folder, 'addon.py');
  await writeFile(program, `${python}\n${await readFile(program, 'utf8')}`);
  return folder;
}
