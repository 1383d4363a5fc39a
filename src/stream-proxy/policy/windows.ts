const MIB = 1024 * 1024;

/** Bytes of the first window of a file that is read in closed ranges, and of the longest one. */
const FIRST_WINDOW = MIB;
const MAX_WINDOW = 8 * MIB;
/** Bytes that are still out of a window when the next one is asked for. */
export const WINDOW_OVERLAP = 256 * 1024;

/**
 * Bytes of the next window after so many that were read without a gap: each is as long as all before it together. The
 * first bytes come soon, and few articles on the borders of two windows are fetched twice. Pure.
 */
export const windowAfter = (read: number): number => Math.min(Math.max(read, FIRST_WINDOW), MAX_WINDOW);
