import type { CatalogueRelease } from '../catalogue.ts';
import type { Faults } from '../faults.ts';
import { postedFiles } from '../posts.ts';
import type { Dialect } from './dialect.ts';
import type { SubmittedNzb } from './submitted-nzb.ts';

/** A job as far as its outcome depends on it. */
export interface JobAttempt {
  readonly nzb: SubmittedNzb;
  /** What was posted; undefined: nothing that the sandbox has. */
  readonly release: CatalogueRelease | undefined;
  /** From the file's name or the NZB. */
  readonly password: string | undefined;
}

export const NO_PROVIDER = 'There are no usenet providers configured.';
export const DUPLICATE = 'Duplicate nzb: the download folder for this nzb already exists.';

/** What the provider is that nobody reaches. */
export const isProviderAway = (faults: Faults): faults is Faults & { provider: 'away' | 'refuses-login' } =>
  faults.provider === 'away' || faults.provider === 'refuses-login';

const VIDEO = /\.(?:mkv|mp4|avi|ts|m2ts|wmv|mov|webm|mpg|iso)$/i;

/** What a job fails of, in its server's words; undefined: it completes. */
export function failureOf({ nzb, release, password }: JobAttempt, dialect: Dialect): string | undefined {
  const { articleGone, fileGone, noVideo } = dialect.failureWords === 'infinidysk' ? INFINIDYSK : NZBDAV;
  if (nzb.firstId === undefined) return noVideo;
  if (release === undefined) return articleGone(nzb.firstId);
  const idOf = (segment: number) => `1.${segment}.${release.guid}@sandbox.invalid`;
  if (release.health === 'dead') return fileGone(nameOf(release), idOf(1));
  const unfit = archiveFailure(release, password);
  if (unfit !== undefined) return unfit;
  const isPlain = release.archive === undefined;
  if (isPlain && !release.videos.some(({ path }) => VIDEO.test(path))) return noVideo;
  // The first article of each file is looked at, and the last one of those that are no archive.
  if (release.lost?.includes(0) === true && !(isPlain && dialect.takesHeadless))
    return fileGone(nameOf(release), idOf(1));
  if (release.lost?.includes(-1) === true && isPlain)
    return articleGone(idOf(nzb.segments.get(1)?.length ?? 1));
  return undefined;
}

const nameOf = (release: CatalogueRelease) => postedFiles(release)[0]?.name ?? release.name;

function archiveFailure({ archive }: CatalogueRelease, password: string | undefined): string | undefined {
  if (archive === undefined) return undefined;
  if (archive.lacksVolume !== undefined) return 'Missing rar volumes detected.';
  if (archive.compressed === true)
    return archive.kind === 'rar'
      ? 'Only rar files with compression method m0 are supported.'
      : 'Only uncompressed 7z files are supported.';
  if (archive.password === undefined) return undefined;
  if (password === undefined)
    return archive.kind === '7z' ? 'Encrypted 7Zip archive has no password specified.' : undefined;
  return password === archive.password ? undefined : 'The password did not match.';
}

interface Words {
  readonly noVideo: string;
  readonly articleGone: (id: string) => string;
  /** All of a file, or its first article. */
  readonly fileGone: (name: string, id: string) => string;
}

const NZBDAV: Words = {
  noVideo: 'No importable videos found.',
  articleGone: (id) => `Article with message-id ${id} not found.`,
  fileGone: (_name, id) => `Article with message-id ${id} not found.`,
};

const INFINIDYSK: Words = {
  noVideo: 'No importable media files found.',
  articleGone: (id) => `Article with message-id ${id} not found. Server responded: 430 No such article`,
  fileGone: (name) =>
    `Missing articles: 1 important file(s) have missing segments across all providers (e.g. ${name}). NZB is likely DMCA'd or expired.`,
};
