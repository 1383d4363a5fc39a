import { existsSync, readFileSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Root } from '../../../tools/debian-root/index.ts';
import { withLock } from '../../../tools/debian-root/index.ts';

/**
 * The databases of a Kodi that has run once, for new profiles to start from: rows for add-ons can only be written into a
 * database that is there. Made at first use by `firstRun`, which runs a Kodi without add-ons and gives its profile's
 * folder to `keep`; made again when the root has changed.
 */
export async function databaseTemplate(
  root: Root,
  firstRun: (keep: (profile: string) => Promise<void>) => Promise<void>,
): Promise<string> {
  const folder = join(root.paths.folder, 'kodi-databases');
  const mark = `${folder}.made`;
  const wanted = readFileSync(root.paths.installed, 'utf8');
  const isMade = () => existsSync(mark) && readFileSync(mark, 'utf8') === wanted;
  if (isMade()) return folder;
  await withLock(`${folder}.lock`, async () => {
    if (isMade()) return;
    await rm(folder, { recursive: true, force: true });
    await firstRun((profile) =>
      cp(join(profile, '.kodi', 'userdata', 'Database'), folder, { recursive: true }),
    );
    if (!existsSync(join(folder, 'Addons33.db'))) throw new Error("Kodi's first run left no Addons33.db.");
    await writeFile(mark, wanted);
  });
  return folder;
}
