import { keyOf } from './key.ts';
import { AUDIO_PREFIXES } from './sound.ts';

/** A word of a name, with where it stands. */
export interface Token {
  /** As written. */
  readonly text: string;
  /** For look-ups: lower case, without accents, apostrophes and a "+" at the end. */
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** What stands between this word and the one before it. */
  readonly sep: string;
  /** A "+" follows directly: "HDR10+", but also "ITA+ENG". */
  readonly plus: boolean;
  /** The innermost pair of brackets that it stands in. */
  readonly bracket: Bracket | undefined;
}

export interface Bracket {
  /** "[", "(" or "{", also for their wide forms. */
  readonly kind: string;
  /** The place of its first word among the words. */
  readonly first: number;
  /** One behind its last word. */
  end: number;
  /** Where its text begins and ends. */
  readonly from: number;
  to: number;
}

const WORD = /[^\s._,;:/\\|~&()[\]{}<>"“”+\-–—…【】「」『』（）［］《》・★☆]+\+?/g;
const KINDS: Readonly<Record<string, string>> = {
  '【': '[',
  '［': '[',
  '「': '[',
  '『': '[',
  '《': '[',
  '（': '(',
};
const OPENS = /[([{【［「『《（]/;
const CLOSES = /[)\]}】］」』》）]/;
const BRACKET = /[([{【［「『《（)\]}】］」』》）]/g;

/** Cuts a name into words. The time grows with its length, whatever it holds. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  const open: Bracket[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const sep = text.slice(end, match.index);
    follow(sep, end, open, tokens.length);
    end = match.index + match[0].length;
    push(tokens, match[0], match.index, sep, open.at(-1));
  }
  follow(text.slice(end), end, open, tokens.length);
  for (const bracket of open) close(bracket, text.length, tokens.length);
  return tokens;
}

/** Keeps account of the brackets that are open. */
function follow(sep: string, at: number, open: Bracket[], next: number): void {
  for (const match of sep.matchAll(BRACKET)) {
    const sign = match[0];
    const place = at + match.index;
    if (OPENS.test(sign)) {
      open.push({ kind: KINDS[sign] ?? sign, first: next, end: next, from: place + 1, to: place + 1 });
    } else if (CLOSES.test(sign)) {
      const bracket = open.pop();
      if (bracket !== undefined) close(bracket, place, next);
    }
  }
}

function close(bracket: Bracket, place: number, next: number): void {
  bracket.to = place;
  bracket.end = next;
}

const CHANNELS_GLUED = /^(.*[a-z+3])([1-9])$/;
const BOTH_GLUED = /^(.*[a-z+3])([1-9])([01])$/;

function push(tokens: Token[], word: string, from: number, sep: string, bracket: Bracket | undefined): void {
  const plus = word.endsWith('+');
  const text = plus ? word.slice(0, -1) : word;
  const key = keyOf(text);
  const add = (text: string, from: number, sep: string, plus: boolean) =>
    tokens.push({ text, key: keyOf(text), from, to: from + text.length + Number(plus), sep, plus, bracket });
  const previous = tokens.at(-1);
  // "DDP5.1": the number of channels is a word of its own.
  if (previous !== undefined && (key === '0' || key === '1') && (sep === '.' || sep === ' ')) {
    const glued = CHANNELS_GLUED.exec(previous.key);
    if (glued !== null && AUDIO_PREFIXES.has(glued[1] ?? '')) {
      const cut = previous.text.length - 1;
      tokens.pop();
      add(previous.text.slice(0, cut), previous.from, previous.sep, false);
      add(previous.text.slice(cut), previous.from + cut, '', false);
    }
  }
  const glued = BOTH_GLUED.exec(key);
  if (glued !== null && !plus && AUDIO_PREFIXES.has(glued[1] ?? '')) {
    add(text.slice(0, -2), from, sep, false);
    add(text.slice(-2, -1), from + text.length - 2, '', false);
    add(text.slice(-1), from + text.length - 1, '.', false);
    return;
  }
  add(text, from, sep, plus);
}
