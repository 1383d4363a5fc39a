import { hexHash } from '../../../io/hash.ts';
import { mimeByName } from '../../../media/mime.ts';
import type { Posting } from '../../../model/index.ts';
import { MAX_NAME_LENGTH } from './fields.ts';

// What services that stream by themselves tell of a post, in terms of what indexers do.

/** A release's name as other sources list it: without a file's ending. */
export const releaseName = (name: string): string =>
  (mimeByName(name) === undefined ? name : name.replace(/\.[a-z\d]{1,5}$/i, '')).slice(0, MAX_NAME_LENGTH);

/**
 * Of a post that was opened, the release's name, as before; the name of the file in it only where that tells more, as of
 * a release that is called by chance letters.
 */
export const moreDetailedName = (release: string, file: string): string =>
  countDetails(file) > countDetails(release) ? releaseName(file) : releaseName(release);

const DETAILS = [
  /\b(?:19|20)\d\d\b/,
  /\b\d{3,4}[pi]\b/i,
  /\bs\d{1,2}(?:e\d{1,3})?\b/i,
  /\b(?:blu-?ray|web|hdtv|dvd)/i,
  /\b(?:[xh]\.?26[45]|hevc|av1|xvid)\b/i,
];

const countDetails = (name: string) => DETAILS.filter((fact) => fact.test(name)).length;

/** An id of our own for a post that has none. */
export const fingerprint = (parts: readonly unknown[]): string => hexHash(JSON.stringify(parts), 24);

const HOUR = 3_600_000;
/** Hours; usenet is no older. */
const MAX_AGE_HOURS = 60 * 365 * 24;

/** @param hours since it was posted */
export const postedAgo = (hours: number): Pick<Posting, 'posted'> =>
  hours >= 0 && hours <= MAX_AGE_HOURS ? { posted: Date.now() - Math.round(hours * HOUR) } : {};
