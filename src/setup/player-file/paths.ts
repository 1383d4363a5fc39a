import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { SlipstreamError } from '../../errors/index.ts';
import type { OtherAddons } from '../../host/port.ts';

export const TMDBHELPER = 'plugin.video.themoviedb.helper';

/** TMDbHelper knows a player by its file's name: its settings name it (protocols.md §9.1). */
export const FILE_NAME = 'plugin.video.slipstream.json';

/** Anything larger is no player. */
const MAX_BYTES = 256 * 1024;

/** Where our player file lies in TMDbHelper's data. */
export interface PlayerFilePaths {
  readonly folder: string;
  readonly path: string;
  /** What TMDbHelper takes instead of it when it was changed there. */
  readonly override: string;
}

/** @throws STORE_FAILED when TMDbHelper's folder leads out of where add-ons keep their data */
export async function findPlayerFilePaths(addons: Pick<OtherAddons, 'dataFolder'>): Promise<PlayerFilePaths> {
  const data = addons.dataFolder(TMDBHELPER);
  const folder = join(data, 'players');
  const root = await realOf(dirname(data));
  for (const each of [data, folder]) {
    const real = await realOf(each);
    if (real !== undefined && root !== undefined && !real.startsWith(root + sep))
      throw outsideFolderError(real);
  }
  return { folder, path: join(folder, FILE_NAME), override: join(data, 'reconfigured_players', FILE_NAME) };
}

/** Undefined while there is nothing. */
const realOf = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);

/**
 * What lies at a path: its bytes; undefined: nothing; "other": no file that could be read, such as a link.
 * @throws STORE_FAILED when that cannot be told
 */
export async function contentAt(path: string): Promise<Uint8Array | 'other' | undefined> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) return 'other';
    return await readFile(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadableError(path, cause);
  }
}

const outsideFolderError = (detail: string) =>
  new SlipstreamError(
    'STORE_FAILED',
    {
      what: 'The data folder of TMDbHelper is a link to another place, and nothing is written there.',
      next: 'Copy the player file from the folder of Slipstream (resources/players) by hand.',
    },
    { detail },
  );

const unreadableError = (detail: string, cause: unknown) =>
  new SlipstreamError(
    'STORE_FAILED',
    {
      what: 'The player file in the data folder of TMDbHelper cannot be read.',
      next: 'Check the rights of that folder.',
    },
    { cause, detail },
  );
