import { createHash } from 'node:crypto';
import { type DirectPost, episodeOf, postsOf, type Wanted } from '../post.ts';
import { type FileInfo, fileInfo, playAddress } from './addresses.ts';
import type { AioStreams } from './service.ts';

/** A release as lists and searches tell of it. */
export interface Entry {
  readonly post: DirectPost;
  readonly info: FileInfo;
  readonly url: string;
  /** The inner file's, once the release was opened. */
  readonly file: { readonly name: string; readonly size: number } | undefined;
  /** Hours since it was posted. */
  readonly age: number;
}

export interface Found {
  readonly entries: readonly Entry[];
  readonly errors: AioStreams['settings']['errors'];
}

const KNOWN_ID = /^(?:tt|imdb|mal|tvdb|tmdb|kitsu)/;

/** What a search finds; releases that failed are left out without a word. */
export function search(wanted: Wanted, service: AioStreams): Found {
  const { settings, posts, library } = service;
  if (!KNOWN_ID.test(wanted.id)) return { entries: [], errors: [] };
  const title = wanted.id.replace(/:\d+:\d+$/, '');
  const isKnown = posts.some(({ release: { of } }) => title === of.imdb || title === `tmdb:${of.tmdb}`);
  if (settings.metadata === 'away' || !isKnown)
    return { entries: [], errors: [noMetadata(service), ...settings.errors] };
  const found = postsOf(wanted, posts).filter(
    ({ release: { guid } }) => library.get(guid)?.status !== 'failed',
  );
  const key = listKey(wanted, found, service);
  return { entries: found.map((post, n) => entryOf(post, wanted, key(n), service)), errors: settings.errors };
}

const noMetadata = ({ settings }: AioStreams) => ({
  title: `[❌] ${settings.indexerAt.name}`,
  description: 'Failed to get metadata',
});

/** By which a play address says where it stands in its list, where it may be replaced. */
function listKey({ type, id }: Wanted, found: readonly DirectPost[], { settings, memory }: AioStreams) {
  if (!settings.failover) return () => '-';
  const key = createHash('md5').update(`${type} ${id}`).digest('hex');
  memory.lists.set(key, found);
  return (n: number) => `${n}.${found.length}.${key}`;
}

function entryOf(post: DirectPost, wanted: Wanted, failover: string, service: AioStreams): Entry {
  const { release } = post;
  const isOpened = service.library.has(release.guid);
  const video = isOpened ? (post.videoOf(episodeOf(wanted)) ?? largest(post)) : -1;
  const info = fileInfo(post, video, service);
  const clip = isOpened ? post.film(video) : undefined;
  const name = clip?.name ?? release.name;
  return {
    post,
    info,
    url: playAddress({ info, wanted, failover, name }, service),
    file: clip && { name: clip.name, size: clip.size },
    age: Math.max(0, Math.floor((service.now() - Date.parse(release.posted)) / 3_600_000)),
  };
}

/** What it lists of a pack that lacks the episode. */
function largest({ release: { videos } }: DirectPost): number {
  const sizes = videos.map(({ size }) => size);
  return sizes.indexOf(Math.max(...sizes));
}
