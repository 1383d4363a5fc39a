import { ownValue } from '../../io/own-property.ts';
import { type Character, PatternError } from './syntax.ts';

/** .NET's word characters. */
export const WORD = '\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}';

/** A part of a class, as it stands between brackets. */
export interface ClassPart {
  readonly ascii: string;
  /** Undefined: there is no way to write it there (\W). */
  readonly unicode: string | undefined;
}

const SHORTHANDS: Readonly<Record<string, ClassPart>> = {
  d: { ascii: '\\d', unicode: '\\p{Nd}' },
  D: { ascii: '\\D', unicode: '\\P{Nd}' },
  s: { ascii: '\\s', unicode: '\\s' },
  S: { ascii: '\\S', unicode: '\\S' },
  w: { ascii: '\\w', unicode: WORD },
  W: { ascii: '\\W', unicode: undefined },
};

export const shorthand = (letter: string): ClassPart | undefined => ownValue(SHORTHANDS, letter);

const CONTROLS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9, v: 11 };

export const controlCode = (letter: string): number | undefined => ownValue(CONTROLS, letter);

/** Unicode blocks of .NET, by the script that fills them. */
const BLOCKS: Readonly<Record<string, string>> = {
  IsArabic: 'Script=Arabic',
  IsBasicLatin: 'ASCII',
  IsCJKUnifiedIdeographs: 'Script=Han',
  IsCyrillic: 'Script=Cyrillic',
  IsGreek: 'Script=Greek',
  IsHangulSyllables: 'Script=Hangul',
  IsHebrew: 'Script=Hebrew',
  IsHiragana: 'Script=Hiragana',
  IsKatakana: 'Script=Katakana',
  IsThai: 'Script=Thai',
};

/** \p{…} and \P{…}. @throws PatternError for a class that JavaScript does not have */
export function property(letter: string, name: string): ClassPart {
  const text = `\\${letter}{${ownValue(BLOCKS, name) ?? name}}`;
  try {
    new RegExp(text, 'u');
  } catch {
    throw new PatternError(`the character class \\${letter}{${name}} is not known here`);
  }
  return { ascii: text, unicode: text };
}

export function literal(text: string): Character {
  const source = escapeLiteral(text);
  return { kind: 'character', ascii: source, unicode: source };
}

export const classLiteral = (text: string): ClassPart => {
  const source = /[\^\]\\[-]/.test(text) ? `\\${text}` : text;
  return { ascii: source, unicode: source };
};

const escapeLiteral = (text: string) => (/[\^$\\.*+?()[\]{}|/]/.test(text) ? `\\${text}` : text);

/** A class of its parts. */
export function characterClass(parts: readonly ClassPart[], negated: boolean): Character {
  const sign = negated ? '^' : '';
  const known = parts.flatMap(({ unicode }) => unicode ?? []).join('');
  const unicode =
    known !== '' && parts.every((part) => part.unicode !== undefined)
      ? `[${sign}${known}]`
      : withNoWord(known, negated);
  return { kind: 'character', ascii: `[${sign}${parts.map(({ ascii }) => ascii).join('')}]`, unicode };
}

/** A class with \W in it: what is no word character cannot be written into a class beside others. */
function withNoWord(known: string, negated: boolean): string {
  const others = known === '' ? '' : `|[${known}]`;
  const positive = `(?:[^${WORD}]${others})`;
  return negated ? `(?:(?!${positive})[\\s\\S])` : positive;
}
