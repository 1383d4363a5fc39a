import { setTimeout as sleep } from 'node:timers/promises';
import { type DirectPost, episodeOf } from '../post.ts';
import type { StreamNzb } from './service.ts';
import type { Session } from './session.ts';

/** Opens the release of a session: its NZB, then its first articles. Why it cannot be opened, in StreamNZB's words; undefined: it is open. */
export async function openRelease(
  session: Session,
  method: string,
  service: StreamNzb,
): Promise<string | undefined> {
  if (session.video !== undefined) return undefined;
  const { post, id, wanted } = session;
  const { startupTimeout } = service.settings;
  service.openings.push({ method, id, release: post.release.name });
  await sleep(Math.min(post.delay, startupTimeout));
  if (post.delay >= startupTimeout)
    return `playback startup timeout during probe after ${startupTimeout / 1000}s: context deadline exceeded`;
  const unfit = unfitNzb(post) ?? unfitArchive(post);
  if (unfit !== undefined) return unfit;
  const episode = episodeOf(wanted);
  const video = post.videoOf(episode);
  if (video === undefined)
    return `requested episode not found in release: season=${episode?.season} episode=${episode?.episode}`;
  const unread = unreadArticle(post, video, service);
  if (unread === undefined) session.video = video;
  return unread;
}

function unfitNzb({ nzb }: DirectPost): string | undefined {
  switch (nzb) {
    case 'good':
      return undefined;
    case 'gone':
      return 'failed to download lazy NZB: unexpected status 404';
    case 'no-xml':
      return 'failed to parse lazy downloaded NZB: XML syntax error on line 36: unexpected EOF';
    case 'empty':
      return NOTHING_PLAYABLE;
  }
}

const NOTHING_PLAYABLE = 'No playable media stream could be opened from this release (EOF).';

/** Archives that are compressed or have a password, and names without an ending. */
function unfitArchive({ release: { archive, videos } }: DirectPost): string | undefined {
  const isClosed = archive?.compressed === true || archive?.password !== undefined;
  const isNameless = !/\.(?:mkv|mp4|avi|ts)$/i.test(videos[0]?.path ?? '');
  return isClosed || isNameless ? NOTHING_PLAYABLE : undefined;
}

/** The first article and the last one are asked for. */
function unreadArticle(post: DirectPost, video: number, { settings }: StreamNzb): string | undefined {
  if (settings.provider !== 'there')
    return 'segment unavailable: dial tcp 127.0.0.1:119: connect: connection refused';
  const holes = post.holes(video);
  const { size } = post.release.videos[video]!;
  if (holes.some(({ from }) => from === 0)) return 'segment unavailable: first segment not found (430)';
  if (holes.some(({ to }) => to === size) && post.release.health !== 'damaged')
    return articleGone(post, size);
  return undefined;
}

export const articleGone = ({ release }: DirectPost, at: number): string =>
  `segment unavailable: fetch segment ${at}.${release.guid}@sandbox.invalid: 430 "No such article"`;
