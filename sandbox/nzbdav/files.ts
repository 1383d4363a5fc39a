import type { CatalogueRelease } from '../catalogue.ts';
import { type Clip, encrypted, mkvClip, textFile } from '../clips/index.ts';
import type { Faults } from '../faults.ts';
import { articlesOf, type ByteSpan, postedFiles } from '../posts.ts';
import { videoClip } from '../video-clip.ts';
import type { JobAttempt } from './outcome.ts';

/** A file in a finished job's folder. */
export interface MountedFile {
  /** Within the folder. */
  readonly path: string;
  /** What was posted; of an archive that nobody could open, its ciphertext. */
  readonly clip: Clip;
  /** Bytes; fewer than the clip's where the NZB does not list its end. */
  readonly size: number;
  /** What its articles cover, in the order in which the NZB lists them; absent: all of it, one after the other. */
  readonly articles?: readonly ByteSpan[];
  /** What is gone at the provider. */
  readonly lost?: readonly Hole[];
  /** It was not packed, though others of the post were. */
  readonly isLoose?: boolean;
}

export interface Hole extends ByteSpan {
  /** It is the last article of an archive's volume. */
  readonly endsVolume?: boolean;
}

const SAMPLE = { seconds: 8, size: 6_000_000 };

/** A job whose release is known. */
type Complete = JobAttempt & { readonly release: CatalogueRelease };

/** What nzbdav mounts for a job: its videos and texts, and not the files of the default block list (nfo, par2). */
export function filesOf(job: Complete, folder: Faults['folder']): readonly MountedFile[] {
  const { release } = job;
  switch (folder) {
    case 'empty':
    case 'absent':
      return [];
    case 'sample-only': {
      const name = `${release.name}-sample-clip.mkv`;
      return [fileOf(`Sample/${name}`, mkvClip({ name, ...SAMPLE }))];
    }
    case 'no-video':
      return [fileOf('readme.txt', textFile('readme.txt', 'Nothing to see here.\n'))];
    case 'ciphertext':
      return release.videos.map((video) => fileOf(video.path, encrypted(videoClip(video))));
    case undefined: {
      const texts = (release.texts ?? []).map(({ path, text }) => fileOf(path, textFile(path, text)));
      // What the NZB does not name was not handed over.
      const videos = release.videos.flatMap((_, n) =>
        articlesIn(job, n).listed.length === 0 ? [] : [mounted(job, n)],
      );
      return [...videos, ...texts];
    }
  }
}

const fileOf = (path: string, clip: Clip): MountedFile => ({ path, clip, size: clip.size });

function mounted(job: Complete, n: number): MountedFile {
  const { release, password } = job;
  const video = release.videos[n]!;
  const { archive } = release;
  const isOpen = archive?.password === undefined || archive.password === password;
  const clip = isOpen ? videoClip(video) : encrypted(videoClip(video));
  const { all, listed } = articlesIn(job, n);
  const isWhole = all.length === listed.length && all.every((article, i) => article === listed[i]);
  const last = listed.at(-1);
  const lost = holesOf(release, n, all);
  return {
    path: nameIn(job, n) ?? video.path,
    ...(video.isLoose === true && { isLoose: true }),
    clip,
    // Of a plain file the last article that is listed tells it, of an archive its head does.
    size: archive === undefined && last !== undefined ? last.to : clip.size,
    ...(isWhole ? {} : { articles: listed }),
    ...(lost.length === 0 ? {} : { lost }),
  };
}

/** What the NZB calls a video that was posted as it is, where that is another name than it was posted under. */
function nameIn({ release, nzb }: Complete, video: number): string | undefined {
  const at = postedFiles(release).findIndex(({ holds }) => holds?.video === video);
  const { path, isLoose } = release.videos[video]!;
  const told = release.archive === undefined || isLoose === true ? nzb.names.get(at + 1) : undefined;
  return told === undefined || path.endsWith(told) ? undefined : told;
}

/** The articles of a video as they were posted, and as the NZB lists them. */
function articlesIn({ release, nzb }: Complete, video: number): { all: Hole[]; listed: Hole[] } {
  const all: Hole[] = [];
  const listed: Hole[] = [];
  for (const [i, { size, holds }] of postedFiles(release).entries()) {
    if (holds?.video !== video) continue;
    const articles = articlesOf(size).map(({ from, to }): Hole => {
      const span = { from: holds.from + from, to: holds.from + to };
      return release.archive !== undefined && to === size ? { ...span, endsVolume: true } : span;
    });
    all.push(...articles);
    for (const segment of nzb.segments.get(i + 1) ?? []) {
      const article = articles[segment - 1];
      if (article !== undefined) listed.push(article);
    }
  }
  return { all, listed };
}

function holesOf({ health, videos, lost = [] }: CatalogueRelease, n: number, all: readonly Hole[]): Hole[] {
  const size = videos[n]?.size ?? 0;
  if (health === 'damaged') return [{ from: Math.floor(size * 0.6), to: size }];
  return n > 0 ? [] : lost.flatMap((article) => all.at(article) ?? []);
}
