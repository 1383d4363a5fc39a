/**
 * Shortens runs of Cyrillic, kana and Han before a name is parsed: the parser's clean-up of such titles takes time
 * that grows with the cube of their length (1 s at 1,200 characters), and names come from strangers. It only looks
 * at where such a run starts and ends, so a run's first and last letter stand for it as well.
 */
export interface Tamed {
  readonly name: string;
  /** Puts the runs back into a part of the parsed name. */
  readonly restore: (text: string) => string;
}

/** The classes of the parser's own pattern. */
const FOREIGN = '\\u3040-\\u30FF\\u4E00-\\u9FFF\\u0400-\\u04FF';
const RUN = new RegExp(`[${FOREIGN}][${FOREIGN}\\s.,'-]*`, 'g');
const LETTER = new RegExp(`[${FOREIGN}]`);
const LETTER_PAIR = new RegExp(`[${FOREIGN}]{2}`, 'g');
/** A name that alternates more often between scripts tells nothing: its foreign part is dropped. */
const MOST_RUNS = 8;

export function tameForeign(name: string): Tamed {
  if (!LETTER.test(name)) return { name, restore: (text) => text };
  const runs = new Map<string, string>();
  let count = 0;
  const tamed = name.replace(RUN, (match) => {
    const run = match.slice(0, lastLetter(match) + 1);
    const rest = match.slice(run.length);
    if (++count > MOST_RUNS) return rest;
    if (run.length < 3) return match;
    const pair = run.charAt(0) + run.charAt(run.length - 1);
    if (!runs.has(pair)) runs.set(pair, run);
    return pair + rest;
  });
  return {
    name: tamed,
    restore: (text) => text.replace(LETTER_PAIR, (pair) => runs.get(pair) ?? pair),
  };
}

function lastLetter(text: string): number {
  let at = text.length - 1;
  while (at > 0 && !LETTER.test(text.charAt(at))) at--;
  return at;
}
