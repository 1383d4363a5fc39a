/** As their services name them: AltMount, UsenetStreamer, Usenet-Ultimate. */
const NAMES: ReadonlySet<string> = new Set(['no-streams.mp4', 'failure_video.mp4', 'nzb_failure_video.mp4']);

/** StreamNZB's, and AIOStreams': the latter by what has happened, or by a status. */
const PATHS =
  /\/(?:error\/failure|static\/(?:\d{3}|download(?:ing|_failed)|no_matching_file|payment_required|unavailable_for_legal_reasons|store_limit_exceeded|content_proxy_limit_reached))\.mp4$/i;

/** Where services keep such videos, and others their films. */
const AMBIGUOUS_PATHS = /\/(?:error|static)\/[^/]+\.mp4$/i;
/** Bytes. A few seconds or minutes of a still picture. */
const MAX_NOTICE_BYTES = 20_000_000;

/**
 * Whether an address is one of the videos by which services tell of a failure, in place of the film (protocols.md §8.1).
 * They play, and are no film. `size` in bytes, as far as it is known.
 */
export const isNoticeVideo = ({ pathname }: URL, size?: number): boolean =>
  isNoticeName(pathname.slice(pathname.lastIndexOf('/') + 1)) ||
  PATHS.test(pathname) ||
  (size !== undefined && size <= MAX_NOTICE_BYTES && AMBIGUOUS_PATHS.test(pathname));

/** Whether a file, wherever it is, is called as such a video. */
export const isNoticeName = (name: string): boolean => NAMES.has(name.toLowerCase());

/** How such a video is called, without its ending: AIOStreams' names say what has happened (protocols.md §8.7). */
export const noticeNameOf = ({ pathname }: URL): string =>
  pathname
    .slice(pathname.lastIndexOf('/') + 1)
    .replace(/\.mp4$/i, '')
    .toLowerCase();
