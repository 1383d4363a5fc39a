import { createHash } from 'node:crypto';
import type { MountedFile } from './files.ts';
import type { JobAttempt } from './outcome.ts';

/** Endings that it lets through by itself. */
const ALLOWED = [
  ...[
    '.mkv',
    '.mp4',
    '.avi',
    '.ts',
    '.m4v',
    '.mov',
    '.wmv',
    '.mpg',
    '.mpeg',
    '.xvid',
    '.rm',
    '.rmvb',
    '.asf',
  ],
  ...['.asx', '.wtv', '.mk3d', '.dvr-ms', '.mp3', '.flac', '.m4a', '.epub', '.pdf', '.cbz'],
];
/** Bytes below which a file that keeps such a word in its name is dropped. */
const SMALL = 200_000_000;
const BESIDE = /sample|proof/i;

const endingOf = (name: string) => /\.[\w-]+$/.exec(name)?.[0].toLowerCase() ?? '';

/** Words with capitals, small letters and dots; all else it takes for obfuscated. */
const isClear = (name: string) => {
  const stem = name.slice(0, name.length - endingOf(name).length);
  return /[A-Z]/.test(stem) && /[a-z]/.test(stem) && /[. ]/.test(stem);
};

/**
 * What AltMount lists of a job's files, under which names: what it takes for obfuscated is called as the job, with a number
 * behind it in an order that means nothing; a film in volumes beside a file that has got the job's name is left out. The
 * order is another one for each job, and for one job the same each time.
 * @param taken Names that the job's folder holds already.
 */
export function listedFiles(
  posted: readonly MountedFile[],
  jobName: string,
  taken: readonly string[] = [],
): readonly MountedFile[] {
  const files = posted
    .map((file) => ({ ...file, path: file.path.slice(file.path.lastIndexOf('/') + 1) }))
    .filter(({ path }) => ALLOWED.includes(endingOf(path)));
  const isOnly = files.length === 1;
  const isRenamed = ({ path }: MountedFile) => isOnly || !isClear(path);
  const renamedLoose = files.some((file) => file.isLoose === true && isRenamed(file));
  const left = files.filter(
    (file) =>
      !(renamedLoose && file.isLoose !== true) &&
      !(!(isRenamed(file) && !isOnly) && file.size < SMALL && BESIDE.test(file.path)),
  );
  const names = new Set([...taken, ...left.filter((file) => !isRenamed(file)).map(({ path }) => path)]);
  const inTurn = left.filter(isRenamed).toSorted((a, b) => (rank(jobName, a) < rank(jobName, b) ? -1 : 1));
  const renamed = inTurn.map((file) => ({ ...file, path: freeName(jobName, endingOf(file.path), names) }));
  return [...left.filter((file) => !isRenamed(file)), ...renamed];
}

const rank = (job: string, { path }: MountedFile) =>
  createHash('sha256').update(`${job} ${path}`).digest('hex');

function freeName(job: string, ending: string, names: Set<string>): string {
  for (let number = 0; ; number++) {
    const name = `${job}${number === 0 ? '' : `_${number}`}${ending}`;
    if (names.has(name)) continue;
    names.add(name);
    return name;
  }
}

/** What a job without a file that may be listed fails of. */
export function disallowedFailure({ nzb, release }: JobAttempt, jobName: string): string | undefined {
  const paths = (release?.videos ?? []).map(({ path }, n) => nzb.names.get(n + 1) ?? path);
  if (paths.some((path) => ALLOWED.includes(endingOf(path)))) return undefined;
  return `file '${jobName}' does not match allowed extensions (allowed: [${ALLOWED.join(' ')}])`;
}
