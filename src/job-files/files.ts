import { VIDEO_EXTENSIONS } from '../media/mime.ts';

/** A file of a finished job. */
export interface JobFile {
  /** Folders below the job's folder, and the file's name last. */
  readonly path: readonly string[];
  /** Bytes, when the backend says. */
  readonly size?: number;
}

export const nameOf = ({ path }: JobFile): string => path.at(-1) ?? '';
export const foldersOf = ({ path }: JobFile): readonly string[] => path.slice(0, -1);

/** File systems allow no longer names. */
const MAX_NAME = 255;

/** The name without its ending. */
export const stemOf = (file: JobFile): string =>
  nameOf(file)
    .replace(/\.[a-z\d]{1,5}$/i, '')
    .slice(0, MAX_NAME);

const VIDEO = new RegExp(`\\.(?:${VIDEO_EXTENSIONS.join('|')})$`, 'i');

/** An empty file is none, whatever its name. */
export const isVideo = (file: JobFile): boolean => VIDEO.test(nameOf(file)) && file.size !== 0;

/** Largest first; of equals, and where nobody knows, in the order of their paths, whatever order they were listed in. */
export const bySize = (a: JobFile, b: JobFile): number => (b.size ?? 0) - (a.size ?? 0) || byPath(a, b);

/** As people count: "2_English" before "10_French". */
export function byPath(a: JobFile, b: JobFile): number {
  const [left, right] = [naturalSortKey(a), naturalSortKey(b)];
  return left === right ? compare(a.path.join('/'), b.path.join('/')) : compare(left, right);
}

/** Not by Intl.Collator: its tables take 30 ms to load. */
const naturalSortKey = ({ path }: JobFile) =>
  path
    .join('/')
    .toLowerCase()
    .replace(/\d{1,8}/g, (digits) => digits.padStart(8, '0'));

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
