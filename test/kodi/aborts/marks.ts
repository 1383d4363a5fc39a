import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ADDON } from '../slipstream.ts';

/** What Kodi's log says as soon as Python has come to our program. */
export const BEGUN = 'slipstream-test: begun';

/** The built add-on, whose very first act is that line. */
export async function markedAddon(): Promise<string> {
  const folder = temporaryFolder();
  await cp(ADDON, folder, { recursive: true });
  const program = join(folder, 'addon.py');
  const mark = `import xbmc; xbmc.log("${BEGUN}", xbmc.LOGINFO)\n`;
  await writeFile(program, mark + (await readFile(program, 'utf8')));
  return folder;
}
