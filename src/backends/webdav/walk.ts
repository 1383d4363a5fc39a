import type { Logger } from '../../log/index.ts';
import type { JobFile } from '../video/files.ts';
import type { Place } from './dialect/index.ts';
import { listFolder, type Share } from './listing.ts';

/** The job's folder and two below it: a disc's BDMV/STREAM lies that deep. */
const MAX_LEVELS = 3;
/** A pack of a hundred episodes, each in a folder of its own. */
const MAX_FOLDERS = 150;
const MAX_FILES = 5_000;

/** A place that is there, and what is in it. */
export interface Found {
  readonly folder: readonly string[];
  readonly files: readonly JobFile[];
}

/** The first of the places that is there with a file in it, else the first that is there at all. */
export async function firstFound(
  share: Share,
  places: readonly Place[],
  signal: AbortSignal,
  log: Logger,
): Promise<Found | undefined> {
  let empty: Found | undefined;
  for (const place of places) {
    const files = await filesAt(share, place, signal, log);
    if (files === undefined) continue;
    const found = { folder: place.folder, files };
    if (files.length > 0) return found;
    empty ??= found;
  }
  return empty;
}

/** @returns undefined when there is no such place */
async function filesAt(
  share: Share,
  { folder, stem }: Place,
  signal: AbortSignal,
  log: Logger,
): Promise<JobFile[] | undefined> {
  if (stem === undefined) return walk(share, folder, signal, log);
  const entries = await listFolder(share, folder, signal);
  const files = entries?.filter(({ name, isFolder }) => !isFolder && isNamed(name, stem));
  return files === undefined || files.length === 0 ? undefined : files.map((file) => jobFile([], file));
}

const isNamed = (name: string, stem: string) => name.normalize('NFC').startsWith(`${stem.normalize('NFC')}.`);

/**
 * Level by level, one listing at a time; hidden files and folders are left out.
 * @returns undefined when there is no such folder
 */
async function walk(
  share: Share,
  root: readonly string[],
  signal: AbortSignal,
  log: Logger,
): Promise<JobFile[] | undefined> {
  const files: JobFile[] = [];
  const folders: (readonly string[])[] = [[]];
  for (let i = 0; i < folders.length; i++) {
    const below = folders[i] ?? [];
    if (i >= MAX_FOLDERS || files.length >= MAX_FILES) {
      log.warning(`${share.who}: the job holds more than is looked at (${files.length} files so far)`);
      break;
    }
    const entries = await listFolder(share, [...root, ...below], signal);
    if (entries === undefined && i === 0) return undefined;
    for (const entry of entries ?? []) {
      if (entry.name.startsWith('.')) continue;
      if (!entry.isFolder) files.push(jobFile(below, entry));
      else if (below.length + 1 < MAX_LEVELS) folders.push([...below, entry.name]);
    }
  }
  return files;
}

function jobFile(below: readonly string[], { name, size }: { name: string; size?: number }): JobFile {
  const path = [...below, name];
  return size === undefined ? { path } : { path, size };
}
