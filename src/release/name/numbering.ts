import { wordKey } from './key.ts';
import type { Token } from './tokens.ts';

/** Where a name tells its season and episode, and which. */
export interface Numbering {
  readonly from: number;
  readonly to: number;
  readonly seasons: readonly number[];
  readonly episodes: readonly number[];
  /** "05v2" was mended once. */
  readonly revision?: number;
  /** "S08D03": a disc of the season. */
  readonly disc?: boolean;
}

/** A name that counts more seasons or episodes than this was misread. */
export const MAX_NUMBERS = 500;

/** Reads what begins with the word at that place. */
export type NumberingReader = (tokens: readonly Token[], at: number) => Numbering | undefined;

export const range = (first: number, last: number): number[] =>
  last < first || last - first >= MAX_NUMBERS
    ? [first]
    : Array.from({ length: last - first + 1 }, (_, index) => first + index);

export const sorted = (numbers: Iterable<number>): number[] => [...new Set(numbers)].sort((a, b) => a - b);

export const E = 'e'.charCodeAt(0);
export const S = 's'.charCodeAt(0);
export const T = 't'.charCodeAt(0);
/** "S01.x05" is an episode, "S01.x264" a codec behind a season. */
export const EPISODE = /^(?:e|ep|eps|x(?!26[3-6](?!\d)))(\d{1,4})((?:e\d{1,4})*)(?:v(\d))?(?:[xh]26[3-6])?$/;
export const NUMBER = /^(\d{1,4})(?:v(\d))?$/;
export const TIGHT = /^[-–~]$/;
export const RANGES = /^\s?[-–~]\s?$/;

/** Signs that join two bare numbers to a range: a dash without blanks, or "~". A dash between blanks sets them apart. */
export const JOINS = /^(?:[-–]|\s?~\s?)$/;

/**
 * Whether one bare number leads on to a later one: joined ("01-12"), or from the first on ("01 - 12"). Any other number
 * before a dash with blanks is the title's ("Eyeshield 21 - 101").
 */
export function isBareRange(first: string, sep: string, last: string): boolean {
  if (Number.parseInt(last, 10) <= Number.parseInt(first, 10)) return false;
  const fromFirst = /^0{1,2}1$/.test(first) && /^\d+/.exec(last)?.[0].length === first.length;
  return JOINS.test(sep) || (fromFirst && RANGES.test(sep));
}

export const digits = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

const OF = new Set(['of', 'из', 'von', 'di', 'de', 'sur', 'iz']);

/** "… of 10" belongs to it. */
export function ofTotal(tokens: readonly Token[], at: number): number {
  return OF.has(tokens[at]?.key ?? '') && /^\d{1,4}$/.test(tokens[at + 1]?.key ?? '') ? at + 2 : at;
}

export const SEASON_WORDS = new Set(
  'season seasons saison saisons staffel staffeln temporada temporadas stagione stagioni сезон сезоны сезона sezon sezony sasong sæson sesong kausi seizoen evad series serie seria seasson sezona сезонов tporada'
    .split(' ')
    .map(wordKey),
);
export const EPISODE_WORDS = new Set(
  'episode episodes ep eps folge folgen episodio episodios episodi capitulo capitulos cap caps серия серии серий эпизод эпизоды odcinek odc afsnit avsnitt aflevering jakso bolum resz epizoda dil част teil épisode episodul puntata ch chapter серії серія епізод'
    .split(' ')
    .map(wordKey),
);

export const YEAR_LIKE = /^(?:19|20)\d\d$/;
