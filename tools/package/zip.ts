import { type AsyncZippable, zip } from 'fflate';
import type { AddonPackage, PackedFile } from './files.ts';

const UNIX = 3;
const REGULAR_FILE = 0o100_000;
const EARLIEST_YEAR = 1980;
const BEST = 9;
/** The largest hash table that fflate has: the slowest, and the smallest result. */
const MOST_MEMORY = 12;

/**
 * The add-on as one zip with its folder in it, as Kodi wants it. The bytes depend on names and contents alone: entries
 * are sorted, times and modes are fixed, and the deflate is fflate's, which is the same on every CPU (zlib's is not).
 */
export function zipOf({ id, files }: AddonPackage): Promise<Uint8Array> {
  const entries: AsyncZippable = {};
  for (const [path, file] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    entries[`${id}/${path}`] = [file.content, { attrs: modeOf(file) << 16, os: UNIX }];
  }
  return new Promise((resolve, reject) => {
    // A zip knows local time only: this is the same day everywhere.
    const options = { level: BEST, mem: MOST_MEMORY, mtime: new Date(EARLIEST_YEAR, 0, 1) } as const;
    zip(entries, options, (error, zipped) => {
      if (error) reject(error);
      else resolve(zipped);
    });
  });
}

const modeOf = ({ executable }: PackedFile): number => REGULAR_FILE | (executable === true ? 0o755 : 0o644);
