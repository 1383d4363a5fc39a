import type { MediaRequest } from '../model/index.ts';
import { titleWords } from '../release/index.ts';

/**
 * How well a name is that of the film: it is so called (it begins with one of the titles, and what follows is the end, a
 * year or what releases' names say of picture and sound; "Caminandes 2" is not "Caminandes"), and its year.
 */
export interface TitleFit {
  readonly isTitled: boolean;
  /** Years between the film's and those that the name tells; undefined where either is not known. */
  readonly years: number | undefined;
}

export function filmMatcher(request: MediaRequest): (name: string) => TitleFit {
  const { title, originalTitle = '', alternativeTitles = [], year } = request;
  const titles = [title, originalTitle, ...alternativeTitles]
    .map(titleWords)
    .filter((words) => words.length > 0);
  const isTitles = (word: string) => titles.some((words) => words.includes(word));
  return (name) => {
    const words = titleWords(name.replace(/^\[[^[\]]{1,40}\]/, ''));
    const years = words.filter((word) => YEAR.test(word) && !isTitles(word)).map(Number);
    const known = year !== undefined && years.length > 0;
    return {
      isTitled: titles.some((each) => beginsWithTitle(words, each)),
      years: known ? Math.min(...years.map((each) => Math.abs(each - year))) : undefined,
    };
  };
}

/**
 * Tells whether a name carries the episode's own title: all of its words in a row, with nothing behind them but what
 * releases' names say of picture and sound, and nothing before them but the show's title and numbers. A title that is
 * but a number ("Episode 2") is none.
 */
export function episodeTitleMatcher(
  { title, year }: MediaRequest,
  episodeTitle = '',
): (name: string) => boolean {
  const [wanted, show] = [titleWords(episodeTitle), titleWords(title)];
  if (wanted.every(isVague)) return () => false;
  return (name) => {
    const words = titleWords(name);
    const ahead = startsWith(words, show) ? show.length : 0;
    const from = words.findIndex((word, at) => at >= ahead && !isVague(word) && word !== String(year));
    const isAt = (at: number) => startsWith(words.slice(at), wanted) && isEnd(words[at + wanted.length]);
    return isAt(ahead) || (from > ahead && isAt(from));
  };
}

const isVague = (word: string) => NUMBER.test(word) || VAGUE.has(word);
const YEAR = /^(?:19|20)\d\d$/;
const NUMBER = /^(?:s?\d{1,4}|s\d{1,2}e\d{1,3})$/;
/** Words that stand in many episodes' titles, and beside any number. */
const VAGUE = new Set([
  'episode',
  'part',
  'chapter',
  'special',
  'season',
  'series',
  'the',
  'a',
  'pilot',
  'finale',
]);
/** What may follow a title in the names of releases. */
const TAG =
  /^(?:\d{3,4}[pi]|[48]k|uhd|fhd|hd|sd|blu|bluray|b[dr]rip|bd|bdremux|remux|web|webrip|webdl|dvd\w{0,4}|hdtv|pdtv|hdrip|hdr\w*|dv|sdr|[xh]26\d|[xh]|hevc|avc|av1|xvid|divx|proper|repack|rerip|internal|extended|unrated|uncut|uncensored|theatrical|directors?|remastered|restored|imax|final|ultimate|limited|anniversary|collectors|criterion|hybrid|open|german|french|italian|spanish|english|nordic|multi\w*|dual|dubbed|subbed|complete|3d|hsbs|cd\d|amzn|nf|dsnp|atvp|hmax|aac\w*|ddp?\w*|dts|ac3|flac|10bit|8bit)$/;

const isEnd = (word: string | undefined) => word === undefined || YEAR.test(word) || TAG.test(word);

const startsWith = (words: readonly string[], start: readonly string[]) =>
  start.every((word, at) => words[at] === word);

/** A collection may put numbers or years in front: "2. Sintel (2010)", "2010 - Sintel". */
function beginsWithTitle(words: readonly string[], title: readonly string[]): boolean {
  const numbers = words.slice(0, 2).findIndex((word) => !/^\d{1,4}$/.test(word));
  const skips = [0, 1, 2].slice(0, numbers === -1 ? 3 : numbers + 1);
  return skips.some((at) => startsWith(words.slice(at), title) && isEnd(words[at + title.length]));
}
