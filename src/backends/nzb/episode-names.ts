import { declaredEpisodesOf } from '../../job-files/declared-episodes.ts';
import { isVideo, stemOf } from '../../job-files/files.ts';
import type { MediaRequest } from '../../model/index.ts';
import { plainWords } from '../../release/index.ts';
import { fileNamesIn, renameFiles } from './write.ts';

/**
 * The NZB with names from which an episode can still be told when AltMount has them: one that it takes for obfuscated, and
 * that is most without capitals, it replaces by the job's with a number that means nothing (protocols.md §2.10). A prefix
 * in the form that it keeps is put before such a name: "Cured.Tower.S01E01.blue-tower-s01e01.mkv".
 * @param nzb As written by writeNzb.
 */
export function withEpisodeNames(
  nzb: Uint8Array<ArrayBuffer>,
  { kind, title }: MediaRequest,
): Uint8Array<ArrayBuffer> {
  if (kind !== 'episode') return nzb;
  const show = dotted(title);
  return renameFiles(nzb, (name) => {
    const code = isVideo({ path: [name] }) && !isKeptName(name) ? codeOf(name) : undefined;
    return code === undefined ? undefined : `${show}.${code}.${name}`;
  });
}

/** Whether any name in such an NZB tells which episode it is. */
export const namesEpisodes = (nzb: Uint8Array<ArrayBuffer>): boolean =>
  fileNamesIn(nzb).some((name) => codeOf(name) !== undefined);

/** With capitals, small letters, and dots or blanks between its words. */
const isKeptName = (name: string) => {
  const stem = stemOf({ path: [name] });
  return /\p{Lu}/u.test(stem) && /\p{Ll}/u.test(stem) && /[. ]/.test(stem);
};

function codeOf(name: string): string | undefined {
  const { seasons, episodes } = declaredEpisodesOf(stemOf({ path: [name] }));
  const [season] = seasons;
  if (season === undefined || seasons.length > 1 || episodes.length === 0) return undefined;
  return `S${twoDigits(season)}${episodes.map((episode) => `E${twoDigits(episode)}`).join('')}`;
}

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** "Cured.Tower"; letters that a name of a file is sure to keep. */
function dotted(title: string): string {
  const words = plainWords(title).match(/[a-z\d]+/g) ?? ['show'];
  return words
    .slice(0, MAX_WORDS)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('.');
}

const MAX_WORDS = 8;
