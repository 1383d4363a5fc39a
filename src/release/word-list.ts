import { compilePattern, type Pattern } from './pattern/pattern.ts';
import { PatternError } from './pattern/syntax.ts';

/** One entry of a list of words: plain, or a pattern. */
export interface Word {
  /** As the person wrote it. */
  readonly text: string;
  readonly pattern?: Pattern;
}

interface WordList {
  readonly words: readonly Word[];
  /** Patterns that are not used, and why; in words for the person. */
  readonly problems: readonly string[];
}

/** An entry: a pattern between slashes with its flags, which may hold commas, or all up to the next comma. */
const ENTRY = /\s*(?:\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/([a-z]*)\s*|([^,]*))(?:,|$)/gsy;
const MAX_WORDS = 200;

/** Takes "cam, telesync, /\bremux\b/i" apart. A pattern that cannot be used is left out, with the reason. */
export function parseWords(text: string): WordList {
  const words: Word[] = [];
  const problems: string[] = [];
  for (const [, source, flags, plain] of text.matchAll(ENTRY)) {
    if (source === undefined) {
      const word = (plain ?? '').trim();
      if (word !== '') words.push({ text: word });
      continue;
    }
    const written = `/${source}/${flags ?? ''}`;
    try {
      words.push({ text: written, pattern: compile(source, flags ?? '') });
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      problems.push(`The pattern ${written} is not used: ${error.message}.`);
    }
  }
  if (words.length > MAX_WORDS) problems.push(`Only the first ${MAX_WORDS} words of a list are used.`);
  return { words: words.slice(0, MAX_WORDS), problems };
}

function compile(source: string, flags: string): Pattern {
  if (!/^[ius]*$/.test(flags))
    throw new PatternError(`of the flags only "i" means something here, not "${flags}"`);
  return compilePattern(source, { ignoreCase: flags.includes('i') });
}

/** "a, b" without the patterns: names of groups, indexers, languages. */
export function parseNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, MAX_WORDS);
}
