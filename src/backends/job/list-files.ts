import type { JobFile } from '../../job-files/files.ts';

/** What a folder of a job holds. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
  /** Bytes, where they are told. */
  readonly size?: number;
}

/** The job's folder and two below it: a disc's BDMV/STREAM lies that deep. */
const MAX_DEPTH = 3;
/** A pack of a hundred episodes, each in a folder of its own. */
const MAX_FOLDERS = 150;
const MAX_FILES = 5_000;

/**
 * A job's files, level by level, one listing at a time; hidden files and folders are left out.
 * @param list What is in the folder so far below the job's own; undefined: there is none.
 * @param onLimit Hears that the job holds more than the files so far, and is not looked through any further.
 * @returns undefined when there is no such folder
 */
export async function listJobFiles(
  list: (below: readonly string[]) => Promise<readonly FolderEntry[] | undefined>,
  onLimit: (files: number) => void,
): Promise<JobFile[] | undefined> {
  const files: JobFile[] = [];
  const folders: (readonly string[])[] = [[]];
  for (let i = 0; i < folders.length; i++) {
    const below = folders[i] ?? [];
    if (i >= MAX_FOLDERS || files.length >= MAX_FILES) {
      onLimit(files.length);
      break;
    }
    const entries = await list(below);
    if (entries === undefined && i === 0) return undefined;
    for (const entry of entries ?? []) {
      if (entry.name.startsWith('.')) continue;
      if (!entry.isFolder) files.push(jobFile(below, entry));
      else if (below.length + 1 < MAX_DEPTH) folders.push([...below, entry.name]);
    }
  }
  return files;
}

export function jobFile(below: readonly string[], { name, size }: FolderEntry): JobFile {
  const path = [...below, name];
  return size === undefined ? { path } : { path, size };
}
