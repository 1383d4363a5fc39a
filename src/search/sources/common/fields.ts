import type { Claims, MediaIds } from '../../../model/index.ts';

// How the values are read that every dialect writes, each in its ways. Whatever makes no sense reads as absent.

/** No name is longer; what is, says nothing more. */
export const MAX_NAME_LENGTH = 500;

/** Digits of an id with or without "tt" and leading zeros; 0 stands for "none". */
export function parseId(value: string | undefined): string | undefined {
  return /^(?:tt)?0*([1-9]\d{0,11})$/i.exec(value ?? '')?.[1];
}

/** An IMDb number as everybody stores it: seven digits at least. */
export const imdbDigits = (digits: string): string => digits.padStart(7, '0');

type RawIds = Readonly<Record<keyof MediaIds, string | undefined>>;

/** What a post is said to be, of ids as they are written; undefined when nothing is claimed. */
export function claimsOf(written: RawIds, season?: number, episode?: number): Claims | undefined {
  const imdb = parseId(written.imdb);
  const tmdb = parseId(written.tmdb);
  const tvdb = parseId(written.tvdb);
  const tvmaze = parseId(written.tvmaze);
  const claims = {
    ...(imdb !== undefined && { imdb: `tt${imdbDigits(imdb)}` }),
    ...(tmdb !== undefined && { tmdb }),
    ...(tvdb !== undefined && { tvdb }),
    ...(tvmaze !== undefined && { tvmaze }),
    ...(season !== undefined && { season }),
    ...(episode !== undefined && { episode }),
  };
  return Object.keys(claims).length === 0 ? undefined : claims;
}

export function parseWholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Sizes: 0 stands for "unknown". */
export function parsePositive(text: string | undefined): number | undefined {
  const number = parseWholeNumber(text);
  return number === 0 ? undefined : number;
}

/** Milliseconds by which a clock may be ahead of ours. */
const CLOCK_TOLERANCE = 24 * 3_600_000;

/** RFC 2822, ISO 8601, or seconds since the epoch; a post of the future has no date. */
export function parseDate(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const time = /^\d{9,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  return time > 0 && time < Date.now() + CLOCK_TOLERANCE ? time : undefined;
}

/**
 * The part of a guid that stays the same: of an address the id in its query or the last part of its path, without
 * what is hung onto it (some indexers give the download address with the person's key as guid).
 */
export function stableGuid(guid: string): string {
  if (!URL.canParse(guid)) return guid.slice(0, MAX_NAME_LENGTH);
  const url = new URL(guid);
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  for (const name of [...url.searchParams.keys()])
    if (SECRET_PARAMETER.test(name)) url.searchParams.delete(name);
  // With a query, the last part of the path is often the same for all: "details.php?nid=100".
  const path = url.search === '' ? last : last + url.search;
  const id = url.searchParams.get('guid') ?? url.searchParams.get('id') ?? path;
  return (url.search === '' ? withoutNzbSuffix(id) : id).slice(0, MAX_NAME_LENGTH);
}

export const SECRET_PARAMETER = /^(?:[ir]|user|.*(?:key|token|pass|auth).*)$/i;

function withoutNzbSuffix(id: string): string {
  return id.replace(/[&?;].*$/, '').replace(/\.nzb$/i, '');
}
