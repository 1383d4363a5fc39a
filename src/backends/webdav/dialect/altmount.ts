import type { FinishedJob } from '../../backend.ts';
import { ALTMOUNT_API } from '../../sabnzbd/server.ts';
import { type Dialect, distinct, type JobLocation, pathParts, type ServerFolders } from './dialect.ts';

/** AltMount (protocols.md §2.10). */
export const ALTMOUNT: Dialect = {
  ...ALTMOUNT_API,
  leavesFiles: true,
  checksCategories: true,
  isCategoryCaseSensitive: true,
  // It names the job after what it has fetched.
  fetchesUrls: false,
  serving: { look: 'cheap', windows: true, zeroFills: true, complete: true },
  sharePath: ['webdav'],
  hasFolderSettings: true,
  root: ({ complete }) => complete,
  jobLocations,
};

/** Endings of what its strategies put on disk in place of the video: a symlink keeps the video's. */
const FILE = /\.(?:strm|mkv|mp4|m4v|avi|ts|m2ts|wmv|mov|webm|mpg|mpeg)$/i;

/**
 * `storage` is a folder, or a file: a symlink or .strm in a tree of its own, which is built like the share
 * (<complete>/<category>/<job>/<file>). A job of one file may have no folder. Where the share is mounted on the server,
 * its folder of finished jobs may be named with that place before it.
 */
function jobLocations(job: FinishedJob, folders: ServerFolders): readonly JobLocation[] {
  const category = pathParts(folders.categories.get(job.category.toLowerCase()) ?? job.category);
  return distinct(
    [folders.complete, folders.complete.slice(-1)].flatMap((complete) =>
      locationBelow([...complete, ...category], job),
    ),
  );
}

function locationBelow(
  categoryFolder: readonly string[],
  { storage, name }: FinishedJob,
): readonly JobLocation[] {
  const parts = pathParts(storage);
  const last = parts.at(-1) ?? name;
  const folder = (each: string): JobLocation => ({ folder: [...categoryFolder, each] });
  if (!FILE.test(last)) return [folder(last), folder(name)];
  const stem = last.replace(FILE, '');
  const loose = { folder: categoryFolder, stem };
  const parent = parts.at(-2);
  return parent === undefined || parent === categoryFolder.at(-1)
    ? [loose, folder(stem)]
    : [folder(parent), folder(name), loose];
}
