import { wordKey } from './key.ts';
import { type AllTagFacts, allFacts, type TagFacts } from './tag-facts.ts';
import type { Token } from './tokens.ts';

/**
 * How far a phrase may be trusted. Strong: it stands in no title, and ends one. Weak: titles hold it as well, so it
 * counts among other tags only. Late: it counts only behind what has ended the title. Web: late, and only before or
 * behind the word WEB.
 */
export type Trust = 'strong' | 'weak' | 'late' | 'web';

/** Words in a row. */
export interface TokenSpan {
  /** The place of the first word. */
  readonly from: number;
  /** One behind the last word. */
  readonly to: number;
}

export interface Tag extends TokenSpan {
  readonly trust: Trust;
  readonly facts: AllTagFacts;
}

export interface Phrase {
  readonly words: readonly string[];
  readonly trust: Trust;
  readonly facts: AllTagFacts;
  /** Only as it is spelt here. */
  readonly exact: boolean;
}

/** Phrases that say the same, separated by commas; between their words may stand any separator. */
export const phrasesFor = (trust: Trust, facts: TagFacts, phrases: string): Phrase[] =>
  phrasesOf(trust, allFacts(facts), phrases, false);

/** Says the same only when it is written in just these letters: "iP", "NO". */
export const exactPhrasesFor = (trust: Trust, facts: TagFacts, phrases: string): Phrase[] =>
  phrasesOf(trust, allFacts(facts), phrases, true);

function phrasesOf(trust: Trust, facts: AllTagFacts, phrases: string, exact: boolean): Phrase[] {
  return phrases.split(',').map((phrase) => {
    const words = phrase.trim().split(' ');
    return { words: exact ? words : words.map(wordKey), trust, facts, exact };
  });
}

/** What no table can list: numbers. Reads a tag that begins with the word at that place. */
export type TagReader = (tokens: readonly Token[], at: number) => Tag | undefined;

/** All phrases by their first word, the longest first. */
export type PhraseBook = ReadonlyMap<string, readonly Phrase[]>;

export function phraseBook(phrases: readonly Phrase[]): PhraseBook {
  const book = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const first = phrase.words[0]?.toLowerCase() ?? '';
    const page = book.get(first);
    if (page === undefined) book.set(first, [phrase]);
    else page.push(phrase);
  }
  for (const page of book.values()) page.sort((a, b) => b.words.length - a.words.length);
  return book;
}

/** The tags of a name from left to right; none overlaps another. */
export function readTags(tokens: readonly Token[], book: PhraseBook, readers: readonly TagReader[]): Tag[] {
  const tags: Tag[] = [];
  for (let at = 0; at < tokens.length; ) {
    const tag = phraseAt(tokens, at, book) ?? readAt(tokens, at, readers);
    if (tag !== undefined) tags.push(tag);
    at = tag?.to ?? at + 1;
  }
  return tags;
}

function readAt(tokens: readonly Token[], at: number, readers: readonly TagReader[]): Tag | undefined {
  for (const read of readers) {
    const tag = read(tokens, at);
    if (tag !== undefined) return tag;
  }
  return undefined;
}

function phraseAt(tokens: readonly Token[], at: number, book: PhraseBook): Tag | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const signed = token.plus ? book.get(`${token.key}+`) : undefined;
  const phrase =
    signed?.find((candidate) => matches(candidate, tokens, at)) ??
    book.get(token.key)?.find((candidate) => matches(candidate, tokens, at));
  return phrase && { from: at, to: at + phrase.words.length, trust: phrase.trust, facts: phrase.facts };
}

/** What may stand between the words of a phrase: no brackets, commas or slashes. */
const WITHIN = /^[\s._&-]*:?$/;

function matches(phrase: Phrase, tokens: readonly Token[], at: number): boolean {
  return phrase.words.every((word, index) => {
    const token = tokens[at + index];
    if (token === undefined || (index > 0 && !WITHIN.test(token.sep))) return false;
    if (phrase.exact) return token.text === word;
    return index === 0 || token.key === word || (token.plus && `${token.key}+` === word);
  });
}

/** Where the unbroken row of tags ends that begins at that place. */
export function chainEnd(tags: readonly Tag[], start: number): number {
  let end = start;
  for (const tag of tags) if (tag.from === end) end = tag.to;
  return end;
}
