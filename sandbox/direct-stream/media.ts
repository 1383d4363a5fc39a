import { type Clip, mp4Clip } from '../clips/index.ts';
import type { Answer, Incoming } from '../http/types.ts';
import { ALTMOUNT } from '../nzbdav/dialect.ts';
import { contentType } from '../nzbdav/propfind.ts';
import type { ByteSpan } from '../posts.ts';
import type { DirectStreamFaults } from './parts.ts';

/** A few megabytes that play: what services show in place of a film that they could not get ready. */
export const NOTICE: Clip = mp4Clip({ name: 'failure.mp4', seconds: 5, size: 2_000_000, index: 'front' });

/** A file as Go's standard library serves it: 206 for any range, 416 beyond the end (protocols.md §2.10). */
export function media(request: Incoming, clip: Clip, missing?: ByteSpan): Answer {
  const { size } = clip;
  const type = { 'content-type': contentType(clip.name, ALTMOUNT), 'accept-ranges': 'bytes' };
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers['range'] ?? '');
  const start = Number(range?.[1] ?? 0);
  const end = Math.min(size, range?.[2] === undefined || range[2] === '' ? size : Number(range[2]) + 1);
  if (start >= size) return { status: 416, headers: { 'content-range': `bytes */${size}` } };
  // What is asked for first is proven before the head leaves.
  if (missing !== undefined && start >= missing.from && start < missing.to)
    return { status: 404, body: 'missing' };
  const hit = missing !== undefined && start < missing.from && end > missing.from;
  return {
    status: range === null ? 200 : 206,
    headers: { ...type, ...(range !== null && { 'content-range': `bytes ${start}-${end - 1}/${size}` }) },
    body: { clip, start, end, ...(hit && { cut: { at: missing.from, how: 'reset' } as const }) },
  };
}

/** What is played in place of a film; undefined: the film. */
export function substituteFilm(request: Incoming, { stream }: DirectStreamFaults): Answer | undefined {
  switch (stream) {
    case undefined:
      return undefined;
    case 'notice':
      return { status: 307, headers: { location: '/error/failure.mp4' } };
    case 'stub':
      return media(request, NOTICE);
    case 'page':
      return { status: 200, headers: { 'content-type': 'video/mp4' }, body: '<!DOCTYPE html><html></html>' };
    case 'redirects':
      return { status: 302, headers: { location: `${request.path}?${request.query.toString()}` } };
  }
}
