import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Clip, mkvClip, textFile } from '../clips/index.ts';
import type { NzbgetJob } from './entry.ts';

/** Bytes of each video in a finished job, whatever its NZB promises: NZBGet writes whole files, so they are small here. */
export const VIDEO_BYTES = 600_000;
const VIDEO = { seconds: 4, size: VIDEO_BYTES };
const made = new Map<string, Uint8Array>();

/** The same file each time: it is made once. */
function bytesOf({ name, size, read }: Clip): Uint8Array {
  const bytes = made.get(name) ?? read(0, size);
  made.set(name, bytes);
  return bytes;
}

/** The disk of NZBGet's machine, as far as it is shared. */
export class FinishedFolders {
  /** Where it lies on this machine. */
  readonly local: string;
  /** How NZBGet calls it. */
  readonly server: string;

  constructor(local: string, server: string) {
    this.local = local;
    this.server = server;
  }

  /** @param own The category's own folder, where it has one. */
  serverPath({ category, name }: NzbgetJob, own?: string): string {
    const inMain = category === '' ? [this.server] : [this.server, category];
    return [...(own === undefined ? inMain : [own]), name].join('/');
  }

  fill(entry: NzbgetJob): void {
    if (entry.folderFault === 'absent') return;
    const folder = this.#localPath(entry);
    mkdirSync(folder, { recursive: true });
    for (const { path, clip } of filesOf(entry)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytesOf(clip));
    }
  }

  remove(entry: NzbgetJob): void {
    rmSync(this.#localPath(entry), { recursive: true, force: true });
  }

  #localPath({ category, name }: NzbgetJob): string {
    return join(this.local, category, name);
  }
}

/** What is left of a release when it is unpacked, and the repair files are deleted. */
function filesOf({
  release,
  folderFault,
}: NzbgetJob): readonly { readonly path: string; readonly clip: Clip }[] {
  const videos = release?.videos ?? [];
  const clipAt = (path: string) => ({ path, clip: mkvClip({ name: path, ...VIDEO }) });
  switch (folderFault) {
    case 'empty':
    case 'absent':
      return [];
    case 'sample-only':
      return [clipAt(`Sample/${release?.name}-sample.mkv`)];
    case 'no-video':
      return [{ path: 'readme.txt', clip: textFile('readme.txt', 'Nothing to see here.\n') }];
    case undefined:
      return videos.map(({ path }) => clipAt(path));
  }
}
