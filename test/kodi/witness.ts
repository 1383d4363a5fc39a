import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Kodi } from './harness/index.ts';
import { ADDON, ADDON_ID } from './slipstream.ts';

/** What the add-on did to Kodi in one of its calls; see witness.py. */
export type Deed = { readonly call: string } & (
  | /** setResolvedUrl; whether there is something to play. */ { readonly answer: boolean }
  | /** Its heading. */ { readonly notification: string; readonly message: string }
  | /** A box with words and a button; its heading. */ { readonly box: string; readonly message: string }
);

/** The built add-on, whose calls of Kodi's API are written down. */
export async function witnessedAddon(): Promise<string> {
  const folder = temporaryFolder();
  await cp(ADDON, folder, { recursive: true });
  await cp(join(import.meta.dirname, 'witness.py'), join(folder, 'witness.py'));
  for (const name of ['addon.py', 'service.py']) {
    const program = join(folder, name);
    await writeFile(program, `import witness\n${await readFile(program, 'utf8')}`);
  }
  return folder;
}

/** What it has done so far, in order. */
export async function deeds({ profile }: Kodi): Promise<Deed[]> {
  const record = join(profile.folder, '.kodi', 'addons', ADDON_ID, 'witness.jsonl');
  const text = await readFile(record, 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Deed);
}
