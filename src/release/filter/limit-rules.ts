import type { Link } from '../../model/index.ts';
import type { Preferences } from '../preferences.ts';
import { runningTime } from '../running-time.ts';
import { MEGABYTE } from '../units.ts';
import type { Rule } from './rule.ts';

/** Of the whole post. Not told by the indexer: it passes. */
export const sizeRule: Rule = ({ release: { size }, preferences: { minSize, maxSize } }) => {
  if (size === undefined) return undefined;
  if (minSize !== undefined && size < minSize) return `Smaller than ${megabytes(minSize)}`;
  return maxSize !== undefined && size > maxSize ? `Larger than ${megabytes(maxSize)}` : undefined;
};

/** Size for each minute. Without the size or the running time, and for a season of nobody knows how many: it passes. */
export const densityRule: Rule = ({ release, preferences: { minDensity, maxDensity }, facts }) => {
  const minutes = runningTime(release, facts);
  if (release.size === undefined || minutes === undefined) return undefined;
  const density = release.size / minutes;
  if (minDensity !== undefined && density < minDensity)
    return `Less than ${megabytes(minDensity)} per minute`;
  return maxDensity !== undefined && density > maxDensity
    ? `More than ${megabytes(maxDensity)} per minute`
    : undefined;
};

/** Not told by the indexer: it passes. */
export const ageRule: Rule = ({ release: { posted }, preferences: { minAge, maxAge }, now }) => {
  if (posted === undefined) return undefined;
  if (minAge !== undefined && now - posted < minAge) return `Younger than ${days(minAge)}`;
  return maxAge !== undefined && now - posted > maxAge ? `Older than ${days(maxAge)}` : undefined;
};

/**
 * A post is protected when the indexer says so or its name tells the password: it passes where what plays it is told that
 * and opens it.
 */
export const protectedRule: Rule = ({ release, preferences }) => {
  const { passworded, password, links } = release;
  if (preferences.protected) return undefined;
  if (password === undefined) return passworded === true ? 'Protected by a password' : undefined;
  return links.some((link) => opensBy(link, preferences))
    ? undefined
    : 'Protected by a password, which StreamNZB cannot use';
};

/** A service that lists its own streams knows the post by its whole name. */
const opensBy = ({ plays, service }: Link, { takesPasswords }: Preferences) =>
  plays === true ? service !== 'streamnzb' : takesPasswords;

/** Not told by the indexer: it passes. */
export const grabsRule: Rule = ({ release: { grabs }, preferences: { minGrabs } }) =>
  grabs !== undefined && minGrabs !== undefined && grabs < minGrabs
    ? `Fewer than ${minGrabs} ${minGrabs === 1 ? 'download' : 'downloads'}`
    : undefined;

const megabytes = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MB`;

const DAY_MS = 86_400_000;

function days(ms: number): string {
  const count = Math.round(ms / DAY_MS);
  return count === 1 ? '1 day' : `${count} days`;
}
