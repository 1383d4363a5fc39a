import { numbersInName } from '../release/index.ts';

/** What the name of a file or folder tells in so many words about the episodes in it. */
export interface DeclaredEpisodes {
  /** Empty: it does not say; 0: specials. */
  readonly seasons: readonly number[];
  /** Empty: it does not say. Without a season they are counted through, or those of the folder's season. */
  readonly episodes: readonly number[];
  /** Of the broadcast, YYYY-MM-DD. */
  readonly date?: string;
}

/** Longer names are not written by people. */
const MAX_NAME = 300;
/** A name that counts more was misread (a year, a checksum). */
const MAX_EPISODES = 64;

/**
 * Reads "S01E02", "1x02", "Season 1 Episode 2", "E02", "2019.03.04" and their kin, as in releases' names.
 * @param name A file's without its ending, or a folder's.
 */
export function declaredEpisodesOf(name: string): DeclaredEpisodes {
  if (SPECIALS.test(name)) return { seasons: [0], episodes: [] };
  // A file may be called "E02" and no more, where the reader of releases' names expects a title in front.
  const numbers = numbersInName(`file ${withoutTags(name)}`);
  return numbers.episodes.length > MAX_EPISODES ? { ...numbers, episodes: [] } : numbers;
}

const SPECIALS = /^(?:specials?|season[ ._-]?0{1,2})$/i;

/** The name without numbers that are a picture's, a sound's, a disc's or a checksum's: "x264", "5.1", "1920x1080", "[1A2B3C4D]". */
export const withoutTags = (name: string): string => name.slice(0, MAX_NAME).replace(TAGS, ' ');

const TAGS = new RegExp(
  [
    String.raw`(?<![a-z])[xh][ ._]?26[3-6](?!\d)`,
    String.raw`(?<!\d)\d{3,4}x\d{3,4}(?!\d)`,
    String.raw`(?<!\d)(?:16x9|16x10|4x3|21x9)(?!\d)`,
    String.raw`(?<!\d)\d{3,4}[pi](?:\d{2})?(?![a-z\d])`,
    String.raw`(?<![\d.])[1-9]\.[01](?!\d)`,
    String.raw`(?<!\d)(?:8|10|12)[ ._-]?bits?(?![a-z])`,
    String.raw`(?<!\d)\d{2}(?:\.\d{1,3})?[ ._-]?fps(?![a-z])`,
    String.raw`(?<![a-z])hdr10\+?(?!\d)`,
    String.raw`(?<![a-z\d])mp[34](?![a-z\d])`,
    String.raw`(?<![a-z])(?:dis[ck]|cd|dvd|bd|vol(?:ume)?)[ ._-]?\d{1,2}(?!\d)`,
    String.raw`[[(][\da-f]{8}[\])]`,
    String.raw`\{\{[^{}]{0,80}\}\}`,
  ].join('|'),
  'gi',
);
