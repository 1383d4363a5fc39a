import { rm } from 'node:fs/promises';
import { SlipstreamError } from '../../errors/index.ts';
import { moveAside, replaceFile } from '../../io/store.ts';
import { type Form } from './form.ts';
import { identifyPlayer, playerText } from './forms.ts';
import { contentAt, type PlayerFilePaths } from './paths.ts';

/** Our player file in TMDbHelper, as it is found. */
export type InstalledPlayer =
  | { readonly kind: 'absent' }
  /** As it was given out; `isCurrent`: by this version. */
  | { readonly kind: 'ours'; readonly form: Form; readonly isCurrent: boolean }
  /** Changed by somebody, or never ours. */
  | { readonly kind: 'changed' };

/** @throws STORE_FAILED */
export async function readInstalled({ path }: PlayerFilePaths): Promise<InstalledPlayer> {
  const content = await contentAt(path);
  if (content === undefined) return { kind: 'absent' };
  const ours = content === 'other' ? undefined : identifyPlayer(Buffer.from(content).toString('utf8'));
  return ours === undefined ? { kind: 'changed' } : { kind: 'ours', ...ours };
}

/** Whether TMDbHelper holds a player of its own making under our name, which it prefers. @throws STORE_FAILED */
export const isOverridden = async ({ override }: PlayerFilePaths): Promise<boolean> =>
  (await contentAt(override)) !== undefined;

/** Puts our file there, in the place of whatever is. @throws STORE_FAILED */
export async function install(form: Form, { folder, path }: PlayerFilePaths): Promise<void> {
  await replaceFile(folder, path, playerText(form)).catch(refused);
}

/** The path under which a changed file is to be kept: one where nothing is kept yet. @throws STORE_FAILED */
export async function backupOf({ path }: PlayerFilePaths): Promise<string> {
  for (let count = 1; ; count++) {
    const backup = count === 1 ? `${path}.bak` : `${path}.${count}.bak`;
    if ((await contentAt(backup)) === undefined) return backup;
  }
}

/** Keeps what lies there beside it, whatever it is. @throws STORE_FAILED */
export async function keepBackup(place: PlayerFilePaths, backup: string): Promise<void> {
  const content = await contentAt(place.path);
  if (content === undefined) return;
  // A link, or what is too large for a player, is kept as it is.
  if (content === 'other') await moveAside(place.folder, place.path, backup).catch(refused);
  else await replaceFile(place.folder, backup, content).catch(refused);
}

/** @throws STORE_FAILED */
export async function remove({ path }: PlayerFilePaths): Promise<void> {
  await rm(path, { force: true }).catch(refused);
}

function refused(cause: unknown): never {
  throw new SlipstreamError(
    'STORE_FAILED',
    {
      what: 'The player file in the data folder of TMDbHelper cannot be changed.',
      next: 'Check the free space and the rights of that folder.',
    },
    { cause },
  );
}
