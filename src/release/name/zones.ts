import type { AllTagFacts } from './tag-facts.ts';
import { chainEnd, type Tag, type TokenSpan } from './tags.ts';
import type { Token } from './tokens.ts';

/** Where the title and what follows it begin. */
export interface Zones {
  /** The title's first word. */
  readonly start: number;
  /** The first word that is no longer the title's. */
  readonly boundary: number;
  /** The first word behind the numbers. */
  readonly content: number;
  /** An episode's title may follow. */
  readonly episodic: boolean;
}

/** Words without a number that titles may hold after all: "The.Remux.Brothers.S01E02". */
const isWord = (tag: Tag, tokens: readonly Token[]) =>
  tag.facts.resolution === undefined &&
  tag.facts.codec === undefined &&
  tokens.slice(tag.from, tag.to).every((token) => !/\d/.test(token.key));

const YEAR = /^(?:19|20)\d\d$/;

/** Whether such a word stands in the title: other words follow it before the number that ends the title. */
export function isInTitle(
  tag: Tag,
  tags: readonly Tag[],
  tokens: readonly Token[],
  numbers: TokenSpan | undefined,
): boolean {
  if (!isWord(tag, tokens)) return false;
  const end = numbers !== undefined && numbers.from >= tag.to ? numbers.from : yearBehind(tag, tags, tokens);
  return (
    end !== undefined && chainEnd(tags, tag.to) < end && !YEAR.test(tokens[chainEnd(tags, tag.to)]?.key ?? '')
  );
}

/** The place of a year before all other sure tags. */
function yearBehind(tag: Tag, tags: readonly Tag[], tokens: readonly Token[]): number | undefined {
  const next = tags.find((one) => one.from >= tag.to && one.trust === 'strong')?.from ?? tokens.length;
  for (let at = tag.to; at < next; at++) if (YEAR.test(tokens[at]?.key ?? '')) return at;
  return undefined;
}

/** Where the unbroken row of tags begins that ends at that place. */
function chainStart(tags: readonly Tag[], end: number): number {
  let start = end;
  for (const tag of tags.toReversed()) if (tag.to === start) start = tag.from;
  return start;
}

/**
 * The tags behind the title that count. Behind an episode's number its own title may follow, in which a language or
 * an edition is a mere word: there only an unbroken row of tags counts that leads to one which is sure, or that
 * fills a pair of brackets.
 */
export function accept(tokens: readonly Token[], tags: readonly Tag[], zones: Zones): Tag[] {
  const behind = tags.filter((tag) => tag.from >= zones.boundary);
  const sure = behind.find((tag) => isSure(tag, behind, tokens))?.from ?? tokens.length;
  const chain = chainStart(behind, zones.episodic ? sure : Math.min(sure, zones.content));
  return behind.filter((tag) => {
    if (tag.trust === 'web') return isBesideWeb(behind, tag) || opensBracket(tokens, behind, tag);
    if (tag.from >= chain) return !zones.episodic || tag.from >= sure || !isEpisodesWord(tokens, tag);
    if (tag.trust === 'strong' && !isWord(tag, tokens)) return true;
    return isAtContent(tokens, tag, zones) || fillsBracket(tokens, behind, tag);
  });
}

/** A sure tag, unless it is a word of an episode's title: another tag says the same kind of thing later. */
function isSure(tag: Tag, tags: readonly Tag[], tokens: readonly Token[]): boolean {
  if (tag.trust !== 'strong') return false;
  if (!isWord(tag, tokens)) return true;
  const next = tokens[tag.to];
  const followed = next !== undefined && /^[\s._]$/.test(next.sep) && chainEnd(tags, tag.to) === tag.to;
  return !(followed && tags.some((other) => other.from > tag.to && sameKind(other.facts, tag.facts)));
}

const said = (facts: AllTagFacts) =>
  Object.keys(facts).filter((field) => facts[field as keyof AllTagFacts] !== undefined);

const sameKind = (a: AllTagFacts, b: AllTagFacts) =>
  said(b).some((field) => a[field as keyof AllTagFacts] !== undefined) ||
  (b.remux === true && a.source !== undefined);

const BEFORE_NOUN = /^(?:the|an?|of|in|on|my|his|her|our|their|this|for|to)$/;

/** Codes of languages that are English words or names. */
const PLAIN_WORDS = new Set(
  'cat may per dan mal mar ben pan pun ice ron bos pol est lit lat geo ara por ind tel'.split(' '),
);

/** "S01E02.The.Anniversary.1080p", "S01E03.The.French.720p": words of tags, but the episode's title all the same. */
function isEpisodesWord(tokens: readonly Token[], tag: Tag): boolean {
  const [before, word] = [tokens[tag.from - 1], tokens[tag.from]];
  if (word === undefined || isLoud(word.text) || word.bracket !== undefined) return false;
  if (tag.facts.editions === undefined && tag.facts.languages === undefined) return false;
  return BEFORE_NOUN.test(before?.key ?? '') || PLAIN_WORDS.has(word.key);
}

/** Directly behind the numbers a tag counts, but a language or edition only in capitals ("S01E02.GERMAN.Title"). */
function isAtContent(tokens: readonly Token[], tag: Tag, zones: Zones): boolean {
  if (tag.from !== zones.content) return false;
  if (!zones.episodic || tag.facts.proper !== undefined || tag.trust === 'strong') return true;
  const words = tokens.slice(tag.from, tag.to);
  return words.every(({ text }) => isLoud(text)) && !isLoud(tokens[tag.to]?.text ?? '');
}

const isWeb = ({ facts }: Tag) => facts.source === 'WEB-DL' || facts.source === 'WEBRip';

/** Directly before or behind WEB, or with the resolution between: "CR.1080p.WEB". */
function isBesideWeb(tags: readonly Tag[], tag: Tag): boolean {
  const next = tags.find((other) => other.from === tag.to);
  const end = next?.facts.resolution === undefined ? tag.to : next.to;
  return tags.some((other) => isWeb(other) && (other.from === end || other.to === tag.from));
}

/** "(CR 1920x1080 AVC AAC)": the service stands first where there is no word for the source. */
const opensBracket = (tokens: readonly Token[], tags: readonly Tag[], tag: Tag) =>
  tokens[tag.from]?.bracket?.first === tag.from && tags.some((other) => other.from === tag.to);

function fillsBracket(tokens: readonly Token[], tags: readonly Tag[], tag: Tag): boolean {
  const bracket = tokens[tag.from]?.bracket;
  if (bracket === undefined) return false;
  const within = tags.filter((one) => one.from >= bracket.first && one.to <= bracket.end);
  const words = within.reduce((sum, one) => sum + one.to - one.from, 0);
  return words === bracket.end - bracket.first;
}

/** A title ends before the weak tags that stand directly before what surely ends it: "Title.UNCUT.2010". */
export function titleEnd(
  tokens: readonly Token[],
  tags: readonly Tag[],
  kept: readonly Tag[],
  zones: Zones,
): { at: number; tags: Tag[] } {
  const taken: Tag[] = [];
  let at = zones.boundary;
  for (;;) {
    const tag = tags.find((one) => one.to === at && one.from > zones.start);
    if (tag?.trust !== 'weak' || !endsTitle(tag, tokens, tags, kept, zones)) break;
    taken.unshift(tag);
    at = tag.from;
  }
  const facts = taken[0]?.facts;
  const edition =
    (facts?.editions !== undefined || facts?.complete === true) &&
    BEFORE_EDITION.test(tokens[at - 1]?.key ?? '');
  return { at: edition && at - 1 > zones.start ? at - 1 : at, tags: taken };
}

/** "Title.The.Directors.Cut.1999", "Title.25th.Anniversary.Edition.1999": these words belong to the edition. */
const BEFORE_EDITION = /^(?:the|\d{1,3}(?:st|nd|rd|th))$/;

const ARTICLE = /^(?:the|a|an|der|die|das|le|la|el|il)$/;

function endsTitle(
  tag: Tag,
  tokens: readonly Token[],
  tags: readonly Tag[],
  kept: readonly Tag[],
  zones: Zones,
): boolean {
  const words = tokens.slice(tag.from, tag.to);
  if (tag.from - 1 === zones.start && ARTICLE.test(tokens[tag.from - 1]?.key ?? '')) return false;
  if (zones.boundary === tokens.length && words.length < 2 && kept.length === 0) return false;
  if (tokens[tag.from]?.bracket !== undefined) return true;
  const { facts } = tag;
  if (facts.source !== undefined && kept.some((one) => one.facts.source !== undefined)) return false;
  const atYear = YEAR.test(tokens[zones.boundary]?.key ?? '');
  const doubtful =
    said(facts).length === 0 || (atYear && (facts.languages !== undefined || facts.source !== undefined));
  if (!doubtful) return true;
  const row = rowBefore(tags, zones);
  if (facts.languages !== undefined && isSpoken(row, kept)) return true;
  // What titles hold as well counts only when it is written as scene tags are: in capitals, behind words that are not.
  const before = tokens[(row[0] ?? tag).from - 1];
  return words.every(({ text }) => isLoud(text)) && !isLoud(before?.text ?? '');
}

/** The unbroken row of weak tags before what surely ends the title, from left to right. */
function rowBefore(tags: readonly Tag[], zones: Zones): Tag[] {
  const row: Tag[] = [];
  let at = zones.boundary;
  for (const tag of tags.toReversed()) {
    if (tag.to !== at || tag.trust !== 'weak' || tag.from <= zones.start) continue;
    row.unshift(tag);
    at = tag.from;
  }
  return row;
}

/**
 * Whether a language before the year is the one that is spoken, however it is spelt: an edition stands beside it
 * ("Uncut.German.2010"), or a word for its tracks follows that names none itself ("German.2010.DL").
 */
function isSpoken(row: readonly Tag[], kept: readonly Tag[]): boolean {
  if (row.some(({ facts }) => facts.editions !== undefined || tellsTracks(facts))) return true;
  return (
    kept.some(({ facts }) => tellsTracks(facts)) && !kept.some(({ facts }) => facts.languages !== undefined)
  );
}

const tellsTracks = ({ dual, multi, audioWord }: AllTagFacts) =>
  dual === true || multi === true || audioWord === true;

const isLoud = (text: string) =>
  text.length > 1 && text.slice(1) === text.slice(1).toUpperCase() && /\p{L}/u.test(text);
