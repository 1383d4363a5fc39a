import type { Logger } from '../../log/index.ts';
import type { JobFile } from '../video/choose-video.ts';
import type { GuardedFiles } from './guarded-files.ts';
import { insideOf, type PlayerFolder } from './paths/player-folder.ts';

/** The job's folder and two below it: a disc's BDMV/STREAM lies that deep. */
const MAX_LEVELS = 3;
/** A pack of a hundred episodes, each in a folder of its own. */
const MAX_FOLDERS = 150;
const MAX_FILES = 5_000;

/** A job's folder: a stretch of path below a folder of the media centre. */
export interface JobFolder {
  readonly root: PlayerFolder;
  readonly parts: readonly string[];
}

/** How the media centre opens what lies in the job's folder; undefined for a name that it would take for a path. */
export const pathOf = ({ root, parts }: JobFolder, path: readonly string[]): string | undefined =>
  insideOf(root, [...parts, ...path]);

/**
 * Level by level, one listing at a time; hidden files and folders are left out.
 * @returns undefined when there is no such folder
 */
export async function walk(
  files: GuardedFiles,
  folder: JobFolder,
  signal: AbortSignal,
  log: Logger,
): Promise<JobFile[] | undefined> {
  const found: JobFile[] = [];
  const folders: (readonly string[])[] = [[]];
  for (let i = 0; i < folders.length; i++) {
    const below = folders[i] ?? [];
    if (i >= MAX_FOLDERS || found.length >= MAX_FILES) {
      log.warning(`the folder of the job holds more than is looked at (${found.length} files so far)`);
      break;
    }
    const entries = await files.list(pathOf(folder, below) ?? '', signal);
    if (entries === undefined && i === 0) return undefined;
    for (const { name, isFolder, size } of entries ?? []) {
      const path = [...below, name];
      if (name === '' || name.startsWith('.') || pathOf(folder, path) === undefined) continue;
      if (!isFolder) found.push(size === undefined ? { path } : { path, size });
      else if (path.length < MAX_LEVELS) folders.push(path);
    }
  }
  return found;
}
