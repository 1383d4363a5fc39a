/**
 * Whether an address is one of the videos by which services tell of a failure, in place of the film: StreamNZB's
 * /error/failure.mp4, AIOStreams' /static/*.mp4 (protocols.md §8.1). They play, and are no film.
 */
export const isNotice = ({ pathname }: URL): boolean => /\/(?:error|static)\/[^/]+\.mp4$/i.test(pathname);
