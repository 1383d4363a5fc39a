import { loadReleaseNameParser, type ReleaseNameParser } from '../src/release/index.ts';
import type { Figure } from './figure.ts';

const CHARACTERS = 1_000_000;
/** Milliseconds, for one name. */
const LONGEST = 2;
/** What made parsers slow, over and over; the lengths lie below and above what a file system allows. */
const UNITS = [
  'слово ',
  'Слово.',
  'слово/',
  '漢字',
  'か ',
  'й',
  '[',
  '[a]',
  '(a)',
  '([{',
  ')]}',
  '1',
  '1.',
  '01-',
  '2010.',
  '12x',
  '.',
  '-',
  ' - ',
  '_',
  '+',
  '"',
  '"a" ',
  '[1/2] ',
  'S01E01',
  'S01E01.',
  'S01-',
  'E01',
  'E01-',
  'Season 1 ',
  '1 сезон ',
  'Cap.105_',
  'a',
  'a1B2',
  'the.',
  'aka.',
  'German.',
  'ENG+',
  'Sub.Ita.',
  '1080p.',
  'x264-',
  'DTS-HD.',
  'DDP5.1',
  'WEB',
  '.mkv',
  '-xpost',
  '{{a}}',
  'www.a.com - ',
  '\u0301',
  '\uD800',
];
const LENGTHS = [64, 128, 255, 256, 1_000, 4_000];

/** Names that strangers could send to hold us up. */
export const hostileNames: Figure = {
  name: 'search.hostile-names',
  unit: 'ms',
  target: '≤ 2000 for a million characters, each name ≤ 2',
  async measure() {
    const parse = await loadReleaseNameParser();
    const names = millionCharacters();
    const began = performance.now();
    for (const name of names) parse(name);
    const value = performance.now() - began;
    const worst = Math.max(...names.slice(0, UNITS.length * LENGTHS.length).map((name) => warm(parse, name)));
    return {
      value,
      met: value <= 2_000 && worst <= LONGEST,
      note: `${names.length} names, the slowest ${worst.toFixed(2)} ms`,
    };
  },
};

function millionCharacters(): string[] {
  const names: string[] = [];
  for (let left = CHARACTERS; left > 0; ) {
    for (const length of LENGTHS) {
      for (const unit of UNITS) {
        if (left <= 0) return names;
        names.push(unit.repeat(Math.ceil(length / unit.length)).slice(0, length));
        left -= length;
      }
    }
  }
  return names;
}

/** The best of five: what else the machine does is not the parser's. */
function warm(parse: ReleaseNameParser, name: string): number {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now();
    parse(name);
    return performance.now() - began;
  });
  return Math.min(...times);
}
