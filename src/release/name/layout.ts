import { type Dated, dateOf } from './dates.ts';
import { absoluteNumbering, type Numbering, numberingOf } from './episodes.ts';
import type { Tag } from './tags.ts';
import type { Bracket, Token } from './tokens.ts';

/** Which part of a name is what. Places are places among its words. */
export interface Layout {
  /** Brackets that stand before everything: a fansub group's, as a rule. */
  readonly heads: readonly Bracket[];
  readonly title: { readonly from: number; readonly to: number };
  readonly year?: number;
  readonly numbering?: Numbering;
  readonly dated?: Dated;
  /** The tags that count. */
  readonly tags: readonly Tag[];
  /** From here on a group may stand. */
  readonly groupFrom: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Finds where the title ends, and which of the tags count because of where they stand. */
export function layOut(tokens: readonly Token[], found: readonly Tag[]): Layout {
  const heads = headsOf(tokens, found);
  const start = heads.at(-1)?.end ?? 0;
  const told = numberingOf(tokens);
  const dated = dateOf(tokens);
  const spans = [told, dated].filter((span) => span !== undefined);
  const free = found.filter((tag) => !spans.some((span) => overlap(tag, span)));
  const strong = free.filter((tag) => tag.trust === 'strong' && tag.from > start);
  const counted = told === undefined || told.episodes.length === 0;
  const absolute = counted && dated === undefined ? absoluteNumbering(tokens, start, free, told) : undefined;
  const numbering = absolute ?? told;
  const anchors = [numbering, dated, ...strong].filter((span) => span !== undefined);
  const years = yearsOf(tokens, start, [told, absolute, dated], anchors);
  const ends = [...anchors, ...(years.span === undefined ? [] : [years.span])]
    .map((span) => span.from)
    .filter((at) => at > start);
  const boundary = Math.min(tokens.length, ...ends);
  const content = contentStart(numbering, dated, years.span, boundary);
  const kept = accept(tokens, free, { start, boundary, content, episodic: isEpisodic(numbering, dated) });
  const end = titleEnd(kept, free, start, boundary, tokens, years.span?.from === boundary);
  return {
    heads,
    title: { from: start, to: end.at },
    ...(years.year !== undefined && { year: years.year }),
    ...(numbering !== undefined && { numbering }),
    ...(dated !== undefined && { dated }),
    tags: [...end.tags, ...kept],
    groupFrom: boundary,
  };
}

const overlap = (a: Span, b: Span) => a.from < b.to && b.from < a.to;

const isEpisodic = (numbering: Numbering | undefined, dated: Dated | undefined) =>
  dated !== undefined || (numbering !== undefined && numbering.episodes.length > 0);

/** Where what follows the title begins: behind the numbers that end it. */
function contentStart(
  numbering: Numbering | undefined,
  dated: Dated | undefined,
  year: Span | undefined,
  boundary: number,
): number {
  const spans = [numbering, dated, year].filter((span) => span !== undefined);
  return Math.max(boundary, ...spans.filter((span) => span.from <= boundary + 4).map((span) => span.to));
}

/** Brackets at the very front, until something stands outside of them. */
function headsOf(tokens: readonly Token[], tags: readonly Tag[]): Bracket[] {
  const heads: Bracket[] = [];
  let at = 0;
  for (;;) {
    const bracket = tokens[at]?.bracket;
    const isHead = bracket?.kind === '[' && bracket.first === at && bracket.end < tokens.length;
    if (!isHead || !(at > 0 || /^\W*[[【［「『《]\s*$/u.test(tokens[at]?.sep ?? ''))) return heads;
    // "[Group][Title][01]": the second pair is the title already, unless it is tags.
    if (heads.length > 0 && !tags.some((tag) => tag.from === at && tag.trust === 'strong')) return heads;
    heads.push(bracket);
    at = bracket.end;
  }
}

const YEAR = /^(?:19|20)\d\d$/;
const FIRST_YEAR = 1888;
const LAST_YEAR = 2099;

/** The year, and its place when it ends the title. */
function yearsOf(
  tokens: readonly Token[],
  start: number,
  taken: readonly (Span | undefined)[],
  anchors: readonly Span[],
): { year?: number; span?: Span } {
  const places = tokens.flatMap((token, at) =>
    YEAR.test(token.key) && Number(token.key) >= FIRST_YEAR && Number(token.key) <= LAST_YEAR ? [at] : [],
  );
  const free = places.filter((at) => !taken.some((span) => span && at >= span.from && at < span.to));
  const wall = Math.min(tokens.length, ...anchors.map((span) => span.from).filter((at) => at > start));
  const before = free.filter((at) => at > start && at < wall);
  const bracketed = before.filter((at) => isAlone(tokens, at));
  const place = bracketed.at(-1) ?? firstOfRange(tokens, before);
  if (place !== undefined) return { year: Number(tokens[place]?.key), span: { from: place, to: place + 1 } };
  const numbers = taken.filter((span) => span !== undefined);
  const behind = free.find(
    (at) =>
      at > wall && (isAlone(tokens, at) || numbers.length === 0 || numbers.some((span) => span.to === at)),
  );
  if (behind !== undefined) return { year: Number(tokens[behind]?.key) };
  const first = free.find((at) => at === start);
  // "(2010) Title" or "2010 - Title".
  if (first !== undefined && tokens[first]?.bracket !== undefined)
    return { year: Number(tokens[first]?.key) };
  return {};
}

/** The last year before the tags; of "2010-2015" the first. */
function firstOfRange(tokens: readonly Token[], places: readonly number[]): number | undefined {
  const last = places.at(-1);
  const other = places.at(-2);
  if (last === undefined || other !== last - 1) return last;
  return /^\s?[-–]\s?$/.test(tokens[last]?.sep ?? '') &&
    Number(tokens[other]?.key) <= Number(tokens[last]?.key)
    ? other
    : last;
}

const isAlone = (tokens: readonly Token[], at: number) => {
  const bracket = tokens[at]?.bracket;
  return bracket?.first === at;
};

interface Zones {
  readonly start: number;
  /** The first word that is no longer the title's. */
  readonly boundary: number;
  /** The first word behind the numbers. */
  readonly content: number;
  /** An episode's title may follow. */
  readonly episodic: boolean;
}

/**
 * The tags behind the title that count. Behind an episode's number its own title may follow, in which a language or
 * an edition is a mere word: there only an unbroken row of tags counts that leads to one which is sure, or to a
 * bracket.
 */
function accept(tokens: readonly Token[], tags: readonly Tag[], zones: Zones): Tag[] {
  const behind = tags.filter((tag) => tag.from >= zones.boundary);
  const sure = behind.find((tag) => tag.trust === 'strong')?.from ?? tokens.length;
  const sureOrYear = zones.episodic ? sure : Math.min(sure, zones.content);
  const chain = chainStart(behind, sureOrYear);
  return behind.filter((tag) => {
    if (tag.trust === 'web') return isBesideWeb(behind, tag);
    return tag.from >= chain || tag.from === zones.content || isBracketOfTags(tokens, behind, tag);
  });
}

/** Where the unbroken row of tags begins that ends at that place. */
function chainStart(tags: readonly Tag[], end: number): number {
  let start = end;
  for (let index = tags.length - 1; index >= 0; index--) {
    const tag = tags[index];
    if (tag?.to === start) start = tag.from;
  }
  return start;
}

const isWeb = (tag: Tag | undefined) => tag?.facts.source === 'WEB-DL' || tag?.facts.source === 'WEBRip';

function isBesideWeb(tags: readonly Tag[], tag: Tag): boolean {
  return tags.some((other) => isWeb(other) && (other.from === tag.to || other.to === tag.from));
}

function isBracketOfTags(tokens: readonly Token[], tags: readonly Tag[], tag: Tag): boolean {
  const bracket = tokens[tag.from]?.bracket;
  if (bracket === undefined) return false;
  const within = tags.filter((one) => one.from >= bracket.first && one.to <= bracket.end);
  const words = within.reduce((sum, one) => sum + one.to - one.from, 0);
  return words === bracket.end - bracket.first;
}

/** A title ends before the weak tags that stand directly before what surely ends it: "Title.UNCUT.2010". */
function titleEnd(
  kept: readonly Tag[],
  tags: readonly Tag[],
  start: number,
  boundary: number,
  tokens: readonly Token[],
  atYear: boolean,
): { at: number; tags: Tag[] } {
  const taken: Tag[] = [];
  let at = boundary;
  for (;;) {
    const tag = tags.find((one) => one.to === at && one.from > start);
    if (tag === undefined || tag.trust !== 'weak' || !mayEndTitle(tag, tokens, kept, atYear, start, boundary))
      break;
    taken.unshift(tag);
    at = tag.from;
  }
  return { at, tags: taken };
}

function mayEndTitle(
  tag: Tag,
  tokens: readonly Token[],
  kept: readonly Tag[],
  atYear: boolean,
  start: number,
  boundary: number,
): boolean {
  const before = tokens[tag.from - 1];
  const sentence = tag.from - 1 === start && /^(?:the|a|an|der|die|das|le|la|el|il)$/.test(before?.key ?? '');
  if (sentence || (boundary === tokens.length && tag.to - tag.from < 2 && kept.length === 0)) return false;
  if (tokens[tag.from]?.bracket !== undefined) return true;
  const filled = tag.facts.source !== undefined && kept.some((one) => one.facts.source !== undefined);
  if (filled) return false;
  const words = tokens.slice(tag.from, tag.to);
  // A language before the year is one only when it is written as scene tags are: in capitals, in a name that is not.
  if (tag.facts.languages !== undefined && atYear)
    return words.every((word) => isLoud(word.text)) && !isLoud(before?.text ?? '');
  return true;
}

const isLoud = (text: string) =>
  text.length > 1 && text.slice(1) === text.slice(1).toUpperCase() && /\p{L}/u.test(text);
