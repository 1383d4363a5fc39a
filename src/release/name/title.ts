import type { Token } from './tokens.ts';

/** A name's title, and the further ones that it gives. */
export interface Titles {
  readonly title: string;
  readonly otherTitles: readonly string[];
}

/** Reads the titles from that part of a name. */
export function titlesOf(text: string, tokens: readonly Token[], from: number, to: number): Titles {
  const first = tokens[from];
  const last = tokens[to - 1];
  if (first === undefined || last === undefined || to <= from) return { title: '', otherTitles: [] };
  const raw = text.slice(first.from, endOf(text, last, tokens[to], from));
  const [title = '', ...otherTitles] = apart(raw)
    .map(cleanTitle)
    .filter((one) => one !== '');
  return { title, otherTitles };
}

/** Signs directly behind the last word, "!" and the like, are words' own; a closing bracket of the title is kept. */
function endOf(text: string, last: Token, next: Token | undefined, from: number): number {
  if (last.bracket === undefined || last.bracket.first <= from) return last.to;
  const behind = text.slice(last.to, next?.from ?? text.length);
  return last.to + (/^\s*[)\]]/.exec(behind)?.[0].length ?? 0);
}

const AKA = /[\s._(]+(?:aka|a\.k\.a\.?)[\s._]+/i;
const STROKE = /\s[/|]\s|\s?\|\s/;
/** Of a country, or what anime lists use to tell a series from a film. */
const MARK =
  /[\s._]*[([](?:TV|US|UK|GB|AU|NZ|CA|IE|IN|ZA|JP|KR|FR|DE|SE|DK|NO|NL|BE|USA|ES|IT|PL|BR|MX)[)\]]/g;
const IN_BRACKETS = /^(.*?[^\s([])[\s._]*[([]([^()[\]]{2,})[)\]][\s._]*$/s;

/** Most names: words and dots, nothing that could part two titles. */
const DOTTED = /^[\w.'-]*$/;

function apart(raw: string): string[] {
  if (DOTTED.test(raw) && !AKA.test(raw)) return [raw];
  return raw
    .replace(MARK, '')
    .split(STROKE)
    .flatMap((part) => part.split(AKA))
    .flatMap((part) => {
      const both = part.includes('(') || part.includes('[') ? IN_BRACKETS.exec(part) : null;
      return both === null ? byScript(part) : [both[1] ?? '', both[2] ?? ''];
    });
}

const ASCII = /^[\x20-\x7e]*$/;
const HAN =
  /^([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\d：:·！!、，\s._]*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\s._]+([A-Z][\p{Script=Latin}\d\s._'’:!?&,-]{2,})$/u;

/** "纸龙.Paper.Dragon": one title in each script. */
function byScript(part: string): string[] {
  const both = ASCII.test(part) ? null : HAN.exec(part.trim());
  return both === null ? [part] : [both[1] ?? '', both[2] ?? ''];
}

const PLAIN = /^[a-z\d]+$/i;

/** Blanks for separators; in a name with blanks, dots are the title's own. */
export function cleanTitle(raw: string): string {
  if (PLAIN.test(raw)) return raw;
  const spaced = /\s/.test(raw.trim());
  const dashed = !spaced && !/[._]/.test(raw) && (raw.match(/-/g)?.length ?? 0) > 1;
  const undotted = spaced ? raw : raw.replaceAll('.', ' ');
  const text = (dashed ? undotted.replaceAll('-', ' ') : undotted).replaceAll('_', ' ');
  return text
    .replace(/\s+/g, ' ')
    .replace(/^[\s\-–—:,;/|~+.)\]}]+/u, '')
    .replace(/[\s\-–—:,;/|~+([{]+$/u, '')
    .trim();
}
