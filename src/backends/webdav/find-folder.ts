import type { JobFile } from '../../job-files/files.ts';
import type { Logger } from '../../log/index.ts';
import { jobFile, listJobFiles } from '../job/list-files.ts';
import { type DavShare, listFolder } from './dav-client.ts';
import type { JobLocation } from './dialect/index.ts';

/** A place that is there, and what is in it. */
export interface FoundFolder {
  readonly folder: readonly string[];
  readonly files: readonly JobFile[];
}

/** The first of the places that is there with a file in it, else the first that is there at all. */
export async function findFirstFolder(
  share: DavShare,
  places: readonly JobLocation[],
  signal: AbortSignal,
  log: Logger,
): Promise<FoundFolder | undefined> {
  let empty: FoundFolder | undefined;
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
  share: DavShare,
  { folder, stem }: JobLocation,
  signal: AbortSignal,
  log: Logger,
): Promise<JobFile[] | undefined> {
  if (stem === undefined)
    return await listJobFiles(
      (below) => listFolder(share, [...folder, ...below], signal),
      (files) => {
        log.warning(`${share.who}: the job holds more than is looked at (${files} files so far)`);
      },
    );
  const entries = await listFolder(share, folder, signal);
  const files = entries?.filter(({ name, isFolder }) => !isFolder && isNamed(name, stem));
  return files === undefined || files.length === 0 ? undefined : files.map((file) => jobFile([], file));
}

const isNamed = (name: string, stem: string) => name.normalize('NFC').startsWith(`${stem.normalize('NFC')}.`);
