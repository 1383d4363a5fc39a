import { AUDIO_PREFIXES } from './audio-prefixes.ts';
import { wordKey } from './key.ts';
import { splitGlued } from './split-glued.ts';

/** A word of a name, with where it stands. */
export interface Token {
  /** As written. */
  readonly text: string;
  /** For look-ups: lower case, without accents, apostrophes and a "+" at the end. */
  readonly key: string;
  /** It holds a digit. */
  readonly digit: boolean;
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
const BRACKET = /[([{【［「『《（)\]}】］」』》）]/;

/** Cuts a name into words. The time grows with its length, whatever it holds. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  const open: Bracket[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const sep = text.slice(end, match.index);
    follow(sep, end, open, tokens.length);
    end = match.index + match[0].length;
    let from = match.index;
    for (const part of splitGlued(match[0])) {
      push(tokens, part, from, from === match.index ? sep : '', open.at(-1));
      from += part.length;
    }
  }
  follow(text.slice(end), end, open, tokens.length);
  for (const bracket of open) close(bracket, text.length, tokens.length);
  return tokens;
}

/** Keeps account of the brackets that are open. */
function follow(sep: string, at: number, open: Bracket[], next: number): void {
  if (sep === '.' || sep === ' ' || sep === '-' || !BRACKET.test(sep)) return;
  for (let index = 0; index < sep.length; index++) {
    const sign = sep.charAt(index);
    const place = at + index;
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

const CHANNELS_GLUED = /^([a-z\d+]*[a-z+3])([1-9])$/;
const BOTH_GLUED = /^([a-z\d+]*[a-z+3])([1-9])([01])$/;

/** Adds a word, or the several that are glued into one. */
function push(tokens: Token[], word: string, from: number, sep: string, bracket: Bracket | undefined): void {
  const plus = word.endsWith('+');
  const text = plus ? word.slice(0, -1) : word;
  const key = wordKey(text);
  if (key === '0' || key === '1') splitChannels(tokens, sep);
  const glued = plus || !/[01]$/.test(key) ? null : BOTH_GLUED.exec(key);
  if (glued === null || !AUDIO_PREFIXES.has(glued[1] ?? '')) {
    tokens.push(token(text, key, from, sep, plus, bracket));
    return;
  }
  const end = from + text.length;
  tokens.push(
    token(text.slice(0, -2), glued[1] ?? '', from, sep, false, bracket),
    token(text.slice(-2, -1), glued[2] ?? '', end - 2, '', false, bracket),
    token(text.slice(-1), glued[3] ?? '', end - 1, '.', false, bracket),
  );
}

/** "DDP5.1": the number of channels is a word of its own. */
function splitChannels(tokens: Token[], sep: string): void {
  const previous = tokens.at(-1);
  const glued = sep === '.' || sep === ' ' ? CHANNELS_GLUED.exec(previous?.key ?? '') : null;
  if (previous === undefined || glued === null || !AUDIO_PREFIXES.has(glued[1] ?? '')) return;
  const { text, from, bracket } = previous;
  const cut = text.length - 1;
  tokens.pop();
  tokens.push(
    token(text.slice(0, cut), glued[1] ?? '', from, previous.sep, false, bracket),
    token(text.slice(cut), glued[2] ?? '', from + cut, '', false, bracket),
  );
}

const DIGIT = /\d/;

function token(
  text: string,
  key: string,
  from: number,
  sep: string,
  plus: boolean,
  bracket: Bracket | undefined,
): Token {
  return {
    text,
    key,
    digit: DIGIT.test(key),
    from,
    to: from + text.length + Number(plus),
    sep,
    plus,
    bracket,
  };
}
