import { isCatastrophic } from './hazard.ts';
import { parsePattern } from './parse.ts';
import { printPattern } from './print.ts';
import { PatternError } from './syntax.ts';

/** A pattern that may be run on names: see capped.ts. */
export interface Pattern {
  /** As it was written. */
  readonly text: string;
  /** For names of plain ASCII. */
  readonly ascii: RegExp;
  /** For all others. */
  readonly unicode: RegExp;
}

/** Longer ones are lists that belong elsewhere. */
const MAX_LENGTH = 5_000;

/**
 * Makes a pattern of its text, in the syntax that .NET has, and so Radarr and Sonarr.
 * @throws PatternError with the reason when it is none, cannot be had in JavaScript, or might never end
 */
export function compilePattern(text: string, { ignoreCase }: { ignoreCase: boolean }): Pattern {
  if (text.length > MAX_LENGTH) throw new PatternError(`it is longer than ${MAX_LENGTH} characters`);
  const { node, ...said } = parsePattern(text);
  if (isCatastrophic(node)) {
    throw new PatternError('it repeats a repetition, which may take for ever on some names');
  }
  const ascii = printPattern(node, 'ascii');
  const sign = ignoreCase || said.ignoreCase ? 'i' : '';
  return {
    text,
    ascii: regExp(ascii, /\\p\{/i.test(ascii) ? `${sign}u` : sign),
    unicode: regExp(printPattern(node, 'unicode'), `${sign}u`),
  };
}

function regExp(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new PatternError(`it cannot be written in JavaScript (${(error as Error).message})`);
  }
}
