/** Blanks that a line begins with, and its number where it has one: what follows stands below its first word. */
const INDENT = /^ *(?:\d+ {2})?/;

/** A command in quotes is one word, to be copied. */
const WORD = /\s*([^\s"]*"slipstream [^"]*"\S*|\S+)/g;

/**
 * A line as lines of the terminal's width, broken at blanks. They keep the indent of the first. A word that is longer than
 * that stays whole: it may be an address, to be copied.
 */
export function wrapLine(text: string, width: number): readonly string[] {
  if (lengthOf(text) <= width) return [text];
  const begin = INDENT.exec(text)?.[0] ?? '';
  const indent = ' '.repeat(begin.length);
  const lines: string[] = [];
  let line = begin;
  let isEmpty = true;
  for (const [piece, word = ''] of text.slice(begin.length).trimEnd().matchAll(WORD)) {
    if (!isEmpty && lengthOf(line + piece) > width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : piece;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Characters as a reader counts them, and not as they are stored. */
const lengthOf = (text: string): number => Array.from(text).length;
