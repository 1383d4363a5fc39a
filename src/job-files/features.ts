import { bySize, foldersOf, groupedBy, type JobFile, nameOf, stemOf } from './files.ts';

/** A video that could be what was asked for: a file, or what a disc holds. */
export interface Feature {
  readonly file: JobFile;
  /** Names that may tell what it is, the nearest first: the file's, without its ending, and its folders'. */
  readonly names: readonly string[];
  /** More than one: the file is but a part, and playing it would not be playing the whole. */
  readonly pieces: number;
}

/** Folds the files of each disc into what one would play of it; all other files stand for themselves. */
export function featuresOf(videos: readonly JobFile[], kind: 'movie' | 'episode'): Feature[] {
  const loose = videos.filter((file) => discOf(file) === undefined);
  const onDiscs = videos.filter((file) => discOf(file) !== undefined);
  const discs = groupedBy(onDiscs, (file) => (discOf(file) ?? []).join('/'));
  return [
    ...loose.map((file) => ({ file, names: [stemOf(file), ...foldersOf(file).toReversed()], pieces: 1 })),
    ...[...discs.values()].flatMap((files) => mainOf(files, kind)),
  ];
}

/** Names by which a disc's player knows its files; they tell nothing to anybody else. */
const BLURAY_FILE = /^\d{5}\.m2?ts$/i;
const DVD_FILE = /^(?:vts_(\d\d)_(\d)|video_ts)\.vob$/i;

/** The folder that holds the disc which the file belongs to. */
function discOf(file: JobFile): readonly string[] | undefined {
  const [name, folders] = [nameOf(file), foldersOf(file)];
  const isDvd = DVD_FILE.test(name);
  if (!isDvd && !BLURAY_FILE.test(name)) return undefined;
  const at = folders.findIndex((folder) => (isDvd ? /^video_ts$/i : /^bdmv$/i).test(folder));
  if (at !== -1) return folders.slice(0, at);
  return isDvd ? folders : undefined;
}

/** Below this part of the largest, a stream is a menu, a trailer or a logo. */
const SMALL_SHARE = 0.2;

function mainOf(files: readonly JobFile[], kind: 'movie' | 'episode'): Feature[] {
  const names = (files[0] && discOf(files[0]))?.toReversed() ?? [];
  const dvd = files.filter((file) => DVD_FILE.test(nameOf(file)));
  const streams = (dvd.length > 0 ? titleSet(dvd) : files).toSorted(bySize);
  const [file] = streams;
  if (file === undefined) return [];
  const large = streams.filter((each) => (each.size ?? 0) >= SMALL_SHARE * (file.size ?? 0));
  if (dvd.length > 0 || kind === 'episode') return [{ file, names, pieces: large.length }];
  // Two long streams are two cuts of the film; many, none of which is most of it, are pieces that a playlist joins.
  const total = large.reduce((sum, { size = 0 }) => sum + size, 0);
  const isWhole = large.length < 3 || (file.size ?? 0) * 2 >= total;
  return [{ file, names, pieces: isWhole ? 1 : large.length }];
}

/** The files of the DVD's longest title, without its menu (VTS_01_0.VOB); they are one film, cut at each GiB. */
function titleSet(files: readonly JobFile[]): JobFile[] {
  const titles = groupedBy(files, (file) => DVD_FILE.exec(nameOf(file))?.[1] ?? '');
  const bytes = (set: readonly JobFile[]) => set.reduce((sum, { size = 0 }) => sum + size, 0);
  const [longest] = [...titles]
    .filter(([number]) => number !== '')
    .map(([, set]) => set.filter((file) => DVD_FILE.exec(nameOf(file))?.[2] !== '0'))
    .sort((a, b) => bytes(b) - bytes(a));
  return longest ?? [];
}
