import { type DeclaredEpisodes, declaredEpisodesOf } from './declared-episodes.ts';
import { isExtra } from './extras.ts';
import { byPath, foldersOf, isVideo, type JobFile, nameOf, stemOf } from './files.ts';

/** What the player opens; pictures of Blu-rays (sup) last, because they are large. "sub" and "idx": see isOpenable. */
const ENDINGS = ['srt', 'ass', 'ssa', 'vtt', 'idx', 'sub', 'sup'] as const;
const FOLDER =
  /^(?:subs?|subtitles?|subpack|vob[ ._-]?subs?|srts?|ass|captions?|cc|untertitel|sous-titres|legendas|subt[ií]tulos)$/i;
/** The player asks for each of them before the first picture. A Blu-ray's every language is fewer. */
const MAX_SUBTITLES = 40;

/**
 * The subtitle files of a video: those beside it, and those in a folder "Subs" beside it or above it. Where the job holds
 * several videos, only those that are named as this one, or as its episode. In a fixed order: by their path, whatever
 * order the files come in. Of a VobSub pair only the .idx; the .sub has the same address but for its ending.
 */
export function subtitlesFor(files: readonly JobFile[], video: JobFile): JobFile[] {
  const names = new Set(files.map(({ path }) => path.join('/')));
  const shelf: SubtitleContext = {
    video,
    stem: stemOf(video).toLowerCase(),
    videos: files
      .filter(isVideo)
      .map((file) => ({ file, stem: stemOf(file).toLowerCase(), extra: file !== video && isExtra(file) })),
    declared: firstDeclared([stemOf(video), ...foldersOf(video).toReversed()]),
  };
  return files
    .filter((file) => file.size !== 0 && isOpenable(file, names) && isForVideo(file, shelf))
    .sort((a, b) => (isLarge(a) ? 1 : 0) - (isLarge(b) ? 1 : 0) || byPath(a, b))
    .slice(0, MAX_SUBTITLES);
}

/** What a subtitle file is held against. */
interface SubtitleContext {
  readonly video: JobFile;
  readonly stem: string;
  readonly videos: readonly SiblingVideo[];
  readonly declared: DeclaredEpisodes | undefined;
}

interface SiblingVideo {
  readonly file: JobFile;
  readonly stem: string;
  readonly extra: boolean;
}

const endingOf = (file: JobFile) => /\.([a-z]{3})$/i.exec(nameOf(file))?.[1]?.toLowerCase();
const isLarge = (file: JobFile) => endingOf(file) === 'sup';

/** An .idx is nothing without its .sub, which is the same file to the player; a .sub on its own is text (MicroDVD). */
function isOpenable(file: JobFile, names: ReadonlySet<string>): boolean {
  const ending = endingOf(file);
  const path = file.path.join('/').slice(0, -3);
  if (ending === 'idx') return names.has(`${path}sub`) || names.has(`${path}SUB`);
  if (ending === 'sub') return !names.has(`${path}idx`) && !names.has(`${path}IDX`);
  return ENDINGS.some((known) => known === ending);
}

function isForVideo(file: JobFile, { video, stem, videos, declared: told }: SubtitleContext): boolean {
  const folders = foldersOf(file);
  const subs = folders.findIndex((folder) => FOLDER.test(folder));
  const base = subs === -1 ? folders : folders.slice(0, subs);
  const isInReach = (each: JobFile) => isBelow(each, base) && (subs !== -1 || isBeside(each, base));
  if (!isInReach(video)) return false;
  const names = [stemOf(file), ...(subs === -1 ? [] : folders.slice(subs + 1).reverse())];
  const lower = names.map((name) => name.toLowerCase());
  const own = lengthOfName(lower, stem);
  const isNearer = (each: SiblingVideo) => lengthOfName(lower, each.stem) > own && isInReach(each.file);
  if (own === 0) {
    const theirs = firstDeclared(names);
    const isTold = theirs !== undefined && told !== undefined;
    if (isTold && !isSameEpisode(theirs, told)) return false;
    if (!isTold && videos.some((each) => each.file !== video && !each.extra && isInReach(each.file)))
      return false;
  }
  return !videos.some(isNearer);
}

/** How much of a subtitle's or its folder's name is that of the video: "Sintel.en.srt", "Subs/Sintel/2_English.srt". */
const lengthOfName = (names: readonly string[], stem: string): number =>
  names.some((name) => startsWith(name, stem)) ? stem.length : 0;

const isBelow = ({ path }: JobFile, base: readonly string[]) => base.every((part, at) => path[at] === part);
const isBeside = ({ path }: JobFile, base: readonly string[]) => path.length === base.length + 1;

/** "Sintel.2" does not begin with the name "Sintel.", nor "Sintel2" with "Sintel". */
const startsWith = (name: string, stem: string) =>
  name.startsWith(stem) && !/^[\p{L}\d]/u.test(name.slice(stem.length));

/** What the nearest name tells that tells an episode. */
const firstDeclared = (names: readonly string[]): DeclaredEpisodes | undefined =>
  names.map(declaredEpisodesOf).find(({ episodes, date }) => episodes.length > 0 || date !== undefined);

/** A name without a season speaks of the one in hand. */
function isSameEpisode(a: DeclaredEpisodes, b: DeclaredEpisodes): boolean {
  if (a.episodes.length === 0 || b.episodes.length === 0) return a.date === b.date;
  const season = a.seasons.length === 0 || b.seasons.length === 0 || a.seasons[0] === b.seasons[0];
  return season && a.episodes.join() === b.episodes.join();
}
