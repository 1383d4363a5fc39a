import type { OriginOverride } from './open-listed.ts';
import { type NonVideo, noticeOf } from './probe-result.ts';

/** AIOStreams answers what fails before the first byte by a status, not by a video, where it is asked to (protocols.md §8.6). */
const AIOSTREAMS = '/api/v1/usenet/stream/';

/** Where a redirect of an address that plays is followed to, or what it says that is no film. */
export function resolveRedirect(to: URL, elsewhere?: OriginOverride): URL | NonVideo {
  const notice = noticeOf(to);
  if (notice !== undefined) return notice;
  const url = new URL(to);
  if (elsewhere?.from === url.origin)
    return resolveRedirect(new URL(`${url.pathname}${url.search}`, elsewhere.to));
  if (url.pathname.includes(AIOSTREAMS) && !url.searchParams.has('download'))
    url.search = url.search === '' ? '?download' : `${url.search}&download`;
  return url;
}
