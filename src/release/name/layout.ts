import { absoluteNumbering } from './absolute.ts';
import { broadcastDateOf, type Dated } from './dates.ts';
import { numberingOf } from './episodes.ts';
import type { Numbering } from './numbering.ts';
import type { Tag, TokenSpan } from './tags.ts';
import type { Bracket, Token } from './tokens.ts';
import { yearsOf } from './year.ts';
import { accept, isInTitle, titleEnd } from './zones.ts';

/** Which part of a name is what. Places are places among its words. */
export interface Layout {
  /** The brackets in front, which hold a fansub group as a rule. */
  readonly head: Bracket | undefined;
  readonly title: TokenSpan;
  readonly year?: number;
  readonly numbering?: Numbering;
  readonly dated?: Dated;
  /** The tags that count. */
  readonly tags: readonly Tag[];
  /** From here on a group may stand. */
  readonly groupFrom: number;
}

/** Finds where the title ends, and which of the tags count because of where they stand. */
export function layOut(tokens: readonly Token[], found: readonly Tag[]): Layout {
  const { head, start, before } = frontOf(tokens, found);
  const told = numberingOf(endsInCode(tokens, found) ? tokens.slice(0, -1) : tokens);
  const dated = broadcastDateOf(tokens, told !== undefined);
  const free = found.filter((tag) => tag.from >= start && !overlap(tag, told) && !overlap(tag, dated));
  const lastNumber = Math.max(told?.from ?? 0, dated?.from ?? 0, lastYear(tokens));
  const sure = free.filter(
    (tag) =>
      tag.trust === 'strong' &&
      tag.from > start &&
      !(tag.from < lastNumber && isInTitle(tag, free, tokens, told ?? dated)),
  );
  const counted = told === undefined || told.episodes.length === 0;
  const absolute =
    counted && dated === undefined ? absoluteNumbering(tokens, start, sure, free, told) : undefined;
  const numbering = absolute ?? told;
  const anchors = [numbering, dated, ...sure].filter((span) => span !== undefined);
  const years = yearsOf(tokens, start, [told, absolute, dated], anchors, free);
  const ends = [...anchors, ...(years.span === undefined ? [] : [years.span])]
    .map((span) => span.from)
    .filter((at) => at > start);
  const boundary = openingOf(tokens, Math.min(tokens.length, ...ends), start);
  const content = contentStart([numbering, dated, years.span], boundary);
  const episodic = dated !== undefined || (numbering !== undefined && numbering.episodes.length > 0);
  const kept = accept(tokens, free, { start, boundary, content, episodic });
  const end = titleEnd(tokens, free, kept, { start, boundary, content, episodic });
  return {
    head,
    title: { from: start, to: end.at },
    ...(years.year !== undefined && { year: years.year }),
    ...(numbering !== undefined && { numbering }),
    ...(dated !== undefined && { dated }),
    tags: [...before, ...end.tags, ...kept],
    groupFrom: boundary,
  };
}

/** "x264-S56": a group that is called as a season. */
function endsInCode(tokens: readonly Token[], tags: readonly Tag[]): boolean {
  const last = tokens.at(-1);
  if (last?.sep !== '-' || !/^(?:s|ep?)\d{1,4}$/.test(last.key)) return false;
  return tags.some((tag) => tag.to === tokens.length - 1 && tag.facts.languages === undefined);
}

const lastYear = (tokens: readonly Token[]) =>
  tokens.findLastIndex(({ key, digit }) => digit && YEAR.test(key));

const overlap = (a: TokenSpan, b: TokenSpan | undefined) => b !== undefined && a.from < b.to && b.from < a.to;

/** Brackets that hold what ends the title do not belong to it from their beginning: "Title [BD 1080p]". */
function openingOf(tokens: readonly Token[], boundary: number, start: number): number {
  const bracket = tokens[boundary]?.bracket;
  return bracket !== undefined && bracket.first > start ? Math.min(boundary, bracket.first) : boundary;
}

/** Where what follows the title begins: behind the numbers that end it, which may stand in a row. */
function contentStart(spans: readonly (TokenSpan | undefined)[], boundary: number): number {
  const near = spans.filter((span) => span !== undefined && span.from <= boundary + 4);
  return Math.max(boundary, ...near.map((span) => span?.to ?? 0));
}

interface Front {
  readonly head: Bracket | undefined;
  /** The first word of the title. */
  readonly start: number;
  /** Tags that stand before it. */
  readonly before: readonly Tag[];
}

/** What stands before the title: a group in brackets, or tags ("[1080p] Title", "WEB-DL.1080p.Title.S01E02"). */
function frontOf(tokens: readonly Token[], tags: readonly Tag[]): Front {
  const bracket = tokens[0]?.bracket;
  const opened = bracket !== undefined && bracket.end < tokens.length && opensAtOnce(tokens, bracket);
  const tagged = tagsInFront(tags);
  const row = tagged.at(-1)?.to ?? 0;
  if (tagged.length > 1 || row === tokens.length || (opened && row === bracket.end)) {
    return { head: undefined, start: row, before: tagged };
  }
  return opened
    ? { head: bracket, start: bracket.end, before: [] }
    : { head: undefined, start: 0, before: [] };
}

function tagsInFront(tags: readonly Tag[]): Tag[] {
  const front: Tag[] = [];
  for (const tag of tags) {
    if (tag.from !== (front.at(-1)?.to ?? 0) || (tag.trust !== 'strong' && front.length === 0)) break;
    front.push(tag);
  }
  return front;
}

const YEAR = /^(?:19|20)\d\d$/;

/** A year in brackets is no group, and neither is what stands in round ones before a title without more of them. */
const opensAtOnce = (tokens: readonly Token[], bracket: Bracket) =>
  bracket.from <= 2 && bracket.first === 0 && !YEAR.test(tokens[0]?.key ?? '');
