import type { ParsedResult } from '@viren070/parse-torrent-title';
import type { Quality } from '../model/index.ts';
import { tameForeign } from './foreign.ts';
import { audioOf, codecOf, hdrOf, resolutionOf, sourceOf } from './values.ts';

/** Reads what a release's name tells. Never throws; a name that tells nothing gives its own text as the title. */
export type ReleaseNameParser = (name: string) => Quality;

/**
 * Loads the parser on the first call: its hundreds of patterns cost tens of milliseconds that no start should pay
 * before its first request has left.
 */
export async function loadReleaseNameParser(): Promise<ReleaseNameParser> {
  const { parseTorrentTitle } = await import('@viren070/parse-torrent-title');
  return (name) => {
    const bare = bareName(name);
    const { name: tamed, restore } = tameForeign(bare);
    return qualityOf(attempt(parseTorrentTitle, tamed), bare, restore);
  };
}

/** File systems allow no longer names, and the parser's time grows faster than the name. */
const MAX_NAME_LENGTH = 255;
/** A usenet subject carries the file's name in quotes. */
const QUOTED = /"([^"]{3,})"/;
const FILE_ENDING = /(?:\.(?:mkv|mp4|avi|ts|m2ts|iso|nzb|rar|par2|vol\d+\+\d+|part\d+|7z|zip|\d{3}))+$/i;
/** What reposters hang onto a name, behind the group. */
const REPOST_MARK =
  /(?:[-.](?:obfuscated|scrambled|postbot|xpost|rakuv\d*|nzbgeek|buymore|asrequested|alternativetorequested|gerov|z0ids3n|chamele0n|4p(?:lanet)?|alte?zachen|repackpost|whiterev|wrteam|sample))+$/i;

function bareName(name: string): string {
  const text = name.slice(0, MAX_NAME_LENGTH);
  const inner = QUOTED.exec(text)?.[1] ?? text;
  return inner.trim().replace(FILE_ENDING, '').replace(REPOST_MARK, '');
}

function attempt(parse: (name: string) => ParsedResult, name: string): ParsedResult {
  try {
    return parse(name);
  } catch {
    return {};
  }
}

function qualityOf(parsed: ParsedResult, name: string, restore: (text: string) => string): Quality {
  const year = wholeNumber(parsed.year);
  const resolution = resolutionOf(parsed.resolution);
  const source = sourceOf(parsed.quality, name);
  const codec = codecOf(parsed.codec, name);
  const group = groupOf(parsed.group, name);
  return {
    title: restore(parsed.title ?? '').trim() || name,
    ...(year !== undefined && { year }),
    ...(resolution !== undefined && { resolution }),
    ...(source !== undefined && { source }),
    ...(codec !== undefined && { codec }),
    hdr: hdrOf(parsed.hdr ?? [], name),
    audio: audioOf(parsed.audio ?? [], name),
    ...(group !== undefined && { group: restore(group) }),
    seasons: numbers(parsed.seasons),
    episodes: numbers(parsed.episodes),
    ...(isDate(parsed.date) && { date: parsed.date }),
  };
}

const BRACKETED_GROUP = /[\])] ?\[([\w.-]{2,20})\]$/;

function groupOf(value: string | undefined, name: string): string | undefined {
  return value?.trim() || BRACKETED_GROUP.exec(name)?.[1];
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{4}$/.test(text) ? Number(text) : undefined;
}

/** A name that counts more seasons or episodes than this was misread. */
const MAX_NUMBERS = 500;

function numbers(values: readonly number[] | undefined): number[] {
  const whole = (values ?? []).filter((value) => Number.isSafeInteger(value) && value >= 0);
  return whole.length > MAX_NUMBERS ? [] : [...new Set(whole)].sort((a, b) => a - b);
}

const isDate = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text);
