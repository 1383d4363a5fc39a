// What the proxy's figures have in common.

/** The first ones after the start are slower: the code is still being compiled. */
export const RUNS = 9;
export const GIB = 1024 ** 3;
export const MIB = 1024 ** 2;
/** Of the origin's film: large enough that no run reads what one before it has read. */
export const FILE_SIZE = 16 * GIB;
/** Bytes per second of a film of 100 Mbit/s, the most that a disc has. */
export const FILM_RATE = 100e6 / 8;

export const localUrl = (port: number): string => `http://127.0.0.1:${port}/film.mkv`;
