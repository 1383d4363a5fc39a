import { ownValue } from '../io/own-property.ts';
import { plainWords } from './plain-words.ts';

/** plainWords without "+", which means something in the names of formats only ("HDR10+"). */
export const plainTitle = (text: string): string => plainWords(plainWords(text).replaceAll('+', ' '));

/**
 * The words of a title, or of a name that holds one, in the form in which titles are compared: "The Bunny & the Bird:
 * Part II" becomes bunny, the, bird, part, 2. Names drop an article at the start and every "and", so neither counts;
 * numerals become digits, except at the start ("Five Hares", "V"). Pure.
 */
export function titleWords(text: string): string[] {
  const words = plainTitle(text)
    .replace(/^(?:the|an?) (?=.)/, '')
    .split(' ')
    .filter((word) => word !== '');
  const kept = words.filter((word) => !AND_WORDS.has(word));
  const counted = kept.length === 0 ? words : kept;
  return counted.map((word, at) => (at === 0 ? word : digitsOf(word, counted[at + 1])));
}

const AND_WORDS = new Set(['and', 'und', 'et']);

/** "I" is left out: it is a word. */
const NUMERALS: Readonly<Record<string, string>> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  ii: '2',
  iii: '3',
  iv: '4',
  v: '5',
  vi: '6',
  vii: '7',
  viii: '8',
  ix: '9',
  x: '10',
};

/** The "x" of "x.264" is the codec's. */
function digitsOf(word: string, next = ''): string {
  return word === 'x' && /^26\d$/.test(next) ? word : (ownValue(NUMERALS, word) ?? word);
}
