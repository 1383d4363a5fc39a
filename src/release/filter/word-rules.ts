import type { Release } from '../../model/index.ts';
import { type BoundedTexts, type Budget, boundedTexts, findIn } from '../pattern/capped.ts';
import { plainWords } from '../plain-words.ts';
import type { Preferences } from '../preferences.ts';
import type { Word } from '../word-list.ts';

/**
 * The reasons that required and excluded words give, for each release; for all at once, because patterns run in
 * batches. A pattern that takes too long on this list rejects nothing, and that is reported.
 */
export function matchWords(
  releases: readonly Release[],
  { requiredWords, excludedWords }: Preferences,
  budget: Budget,
  report?: (problem: string) => void,
): string[][] {
  const reasons = releases.map((): string[] => []);
  if (requiredWords.length + excludedWords.length === 0) return reasons;
  const names = namesOf(releases);
  const reject = (words: readonly Word[], rejected: number, reason: string) => {
    for (const word of words) {
      const found =
        word.pattern === undefined ? hasWord(names, word.text) : findIn(names.subjects, word.pattern, budget);
      if (found === undefined)
        report?.(`The pattern ${word.text} was left out: it takes too long on this list.`);
      found?.forEach((value, index) => {
        if (value === rejected) reasons[index]?.push(`${reason} ${quoted(word)}`);
      });
    }
  };
  reject(requiredWords, 0, 'Without');
  reject(excludedWords, 1, 'With');
  return reasons;
}

interface Names {
  readonly raw: readonly string[];
  /** As plainWords has them, with a blank at both ends. */
  readonly plain: readonly string[];
  readonly subjects: BoundedTexts;
}

function namesOf(releases: readonly Release[]): Names {
  const raw = releases.map(({ name }) => name);
  return { raw, plain: raw.map((name) => ` ${plainWords(name)} `), subjects: boundedTexts(raw) };
}

/** Whole words only: "cam" is not in "Camelot". Signs between words do not matter: "web-dl" is in "WEB.DL". */
function hasWord({ raw, plain }: Names, word: string): Uint8Array {
  const wanted = plainWords(word);
  // A word of nothing but signs can only be looked for as it stands.
  return wanted === ''
    ? Uint8Array.from(raw, (name) => (name.includes(word) ? 1 : 0))
    : Uint8Array.from(plain, (name) => (name.includes(` ${wanted} `) ? 1 : 0));
}

const quoted = ({ text, pattern }: Word) => (pattern === undefined ? `"${text}"` : text);
