import type { CatalogueRelease } from './catalogue.ts';

/** Bytes that a usual article holds, and those that its encoding makes of them. */
const ARTICLE = 716_800;
const ENCODED = 1.031;
/** An NZB need not list what nobody reads: of a huge file the articles are larger instead. */
const MAX_ARTICLES = 4000;
/** Bytes of the packed file in each volume of an archive. */
const VOLUME = 15_000_000;

/** A file as it was posted. */
export interface PostedFile {
  readonly name: string;
  readonly size: number;
  /** The video that it holds, by its place in the release, and from which byte of it on; absent: none. */
  readonly holds?: { readonly video: number; readonly from: number };
}

/** What an article, or a gap between two, covers of a file; `to` is not included. */
export interface ByteSpan {
  readonly from: number;
  readonly to: number;
}

/** The files of a post in the order of their numbers, which begin with 1. */
export function postedFiles(release: CatalogueRelease): readonly PostedFile[] {
  const videos = release.videos.flatMap(({ path, size, isLoose }, video): PostedFile[] => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return release.archive === undefined || isLoose === true
      ? [{ name, size, holds: { video, from: 0 } }]
      : volumes(release, video);
  });
  const texts = (release.texts ?? []).map(({ path, text }) => ({
    name: path,
    size: Buffer.byteLength(text),
  }));
  return [
    ...videos,
    ...texts,
    { name: `${release.name}.nfo`, size: 4000 },
    { name: `${release.name}.par2`, size: 37_000 },
  ];
}

/** nzbdav reads an archive without a byte of it in between: volumes are as long as what they hold. */
function volumes({ name, videos, archive }: CatalogueRelease, video: number): PostedFile[] {
  const { size } = videos[video] ?? { size: 0 };
  const stem = videos.length === 1 ? name : `${name}.${video + 1}`;
  const each = archive?.volume ?? VOLUME;
  return Array.from({ length: Math.max(1, Math.ceil(size / each)) }, (_, n) => {
    const from = n * each;
    const number = String(n + 1).padStart(3, '0');
    const end = archive?.kind === '7z' ? `.7z.${number}` : `.part${number}.rar`;
    return { name: stem + end, size: Math.min(each, size - from), holds: { video, from } };
  });
}

/** What each article of a file covers of it. */
export function articlesOf(size: number): readonly ByteSpan[] {
  const each = Math.max(ARTICLE, Math.ceil(size / MAX_ARTICLES));
  return Array.from({ length: Math.max(1, Math.ceil(size / each)) }, (_, n) => ({
    from: n * each,
    to: Math.min((n + 1) * each, size),
  }));
}

/** Bytes of an article on the wire. */
export const encodedBytes = ({ from, to }: ByteSpan): number => Math.ceil((to - from) * ENCODED);
