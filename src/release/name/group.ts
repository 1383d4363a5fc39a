import type { Tag } from './tags.ts';
import type { Bracket, Token } from './tokens.ts';

/** Who released it, and which words say so. */
export interface ReleaseGroup {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** What the group is looked for in. */
export interface NameEnd {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** All that might be tags. */
  readonly tags: readonly Tag[];
  /** A group stands no earlier, because the title does. */
  readonly from: number;
  /** The first tag that counts: a group in brackets, or behind blanks, stands behind it. */
  readonly firstTag: number;
}

/** The group at a name's end: "-INV", " - INV", "[INV]", "(… INV)", or the last word behind the tags. */
export function groupAtEnd(ending: NameEnd): ReleaseGroup | undefined {
  return behindDash(ending) ?? inBrackets(ending) ?? lastWord(ending);
}

const JOINED = /(?:^|[^\s._])-$/;
const SPACED = /[\s._]-[\s._]?$|\s–\s$|^-\s$/;

function behindDash(ending: NameEnd): ReleaseGroup | undefined {
  const { tokens, tags, from, firstTag } = ending;
  const end = endWithoutMarks(tokens, tags);
  for (let at = end - 1; at >= Math.max(from, 1, end - 4); at--) {
    const token = tokens[at];
    // "[INV-MORE]" is looked at as a whole.
    if (token === undefined || (at > firstTag && isUntagged(tags, token.bracket, at))) return undefined;
    if (JOINED.test(token.sep)) {
      if (tags.some((tag) => tag.from < at && tag.to > at)) return undefined;
      return named(ending, nameStart(tokens, tags, at, from), end);
    }
    if (SPACED.test(token.sep)) return at > firstTag ? named(ending, at, end) : undefined;
    if (/[\s[\](){}]/.test(token.sep)) return undefined;
  }
  return undefined;
}

const isUntagged = (tags: readonly Tag[], bracket: Bracket | undefined, at: number) =>
  bracket !== undefined && bracket.first > 0 && bracket.first < at && !isTagged(tags, bracket);

/** More dashes stand in no group's name. */
const MAX_DASHES = 3;

/** "x264-D-Z0N3", "x264-INV-AND-MORE": parts between a tag and the last dash belong to the name. */
function nameStart(tokens: readonly Token[], tags: readonly Tag[], at: number, from: number): number {
  const isTag = (place: number) => tags.some((tag) => tag.from <= place && tag.to > place);
  for (let start = at - 1; start >= Math.max(from, at - MAX_DASHES); start--) {
    const token = tokens[start];
    if (token?.sep !== '-' || /^\d/.test(token.text) || isTag(start)) return at;
    if (tags.some((tag) => tag.to === start)) return start;
  }
  return at;
}

function named({ text, tokens, tags }: NameEnd, from: number, to: number): ReleaseGroup | undefined {
  const [first, last] = [tokens[from], tokens[to - 1]];
  if (first === undefined || last === undefined) return undefined;
  const name = text.slice(first.from, last.to);
  if (/^\d{1,3}$/.test(name) || name.length > 30) return undefined;
  // A tag behind a dash is a tag ("x264-DTS"), but the letters of a weak one may name a group ("-CC"), as
  // may a service's: that stands before WEB.
  const tag = tags.find((one) => one.from <= from && one.to > from);
  const holdsSure = tags.some((one) => one.trust === 'strong' && one.from >= from && one.from < to);
  if (holdsSure) return undefined;
  const isTag =
    tag !== undefined &&
    (tag.trust === 'strong' || tag.to >= to || tag.facts.languages !== undefined) &&
    !isShortWord(first, tag);
  return isTag ? undefined : { from, to, name };
}

const isShortWord = ({ text }: Token, { trust, facts }: Tag) =>
  facts.network !== undefined || (trust === 'late' && facts.languages === undefined && text.length <= 3);

/**
 * Behind the group may stand brackets with a checksum, with tags, or, when the group is joined by a dash, with a
 * site's mark.
 */
function endWithoutMarks(tokens: readonly Token[], tags: readonly Tag[]): number {
  let end = tokens.length;
  for (;;) {
    const bracket = tokens[end - 1]?.bracket;
    if (bracket?.end !== end || bracket.first === 0) return end;
    const marks = isChecksum(tokens, bracket) || isTagged(tags, bracket) || isSiteMark(tokens, tags, bracket);
    if (!marks) return end;
    end = bracket.first;
  }
}

const isChecksum = (tokens: readonly Token[], bracket: Bracket) =>
  bracket.end - bracket.first === 1 && /^[\dA-F]{8}$/i.test(tokens[bracket.first]?.text ?? '');

/** A service's letters behind other words are the group's own: "[INV.MX]". */
const isTagged = (tags: readonly Tag[], { first, end }: Bracket) =>
  tags.some(({ from, trust }) => from >= first && from < end && (trust !== 'web' || from === first));

/** "x264-INV[site]", "x264-INV(site)". */
function isSiteMark(tokens: readonly Token[], tags: readonly Tag[], bracket: Bracket): boolean {
  const before = tokens[bracket.first - 1];
  const isGroup = before?.bracket === undefined && JOINED.test(before?.sep ?? '');
  const isGlued = tokens[bracket.first]?.sep.length === 1;
  return isGroup && (isGlued || bracket.kind === '[') && !tags.some((tag) => tag.to === bracket.first);
}

function inBrackets(ending: NameEnd): ReleaseGroup | undefined {
  const { text, tokens, tags, from, firstTag } = ending;
  let end = tokens.length;
  while (end > from) {
    const bracket = tokens[end - 1]?.bracket;
    if (bracket?.end !== end) return undefined;
    if (bracket.first > firstTag && mayHoldGroup(tokens, tags, bracket)) {
      const name = text.slice(bracket.from, bracket.to).trim();
      if (/\p{L}/u.test(name)) return { from: bracket.first, to: bracket.end, name };
    }
    const last = lastInBrackets(text, tokens, tags, bracket);
    if (last !== undefined) return last;
    end = bracket.first;
  }
  return undefined;
}

/** In square ones anything but a tag, in round ones words in capitals with dashes between: "(Final)" is no group. */
function mayHoldGroup(tokens: readonly Token[], tags: readonly Tag[], bracket: Bracket): boolean {
  const size = bracket.end - bracket.first;
  if (isChecksum(tokens, bracket) || isTagged(tags, bracket)) return false;
  if (bracket.kind !== '(') return size <= 4;
  const words = tokens.slice(bracket.first, bracket.end);
  return words.every(
    ({ text, sep }, index) =>
      text.length > 1 && text.slice(1) === text.slice(1).toUpperCase() && (index === 0 || sep === '-'),
  );
}

const WORD = /^(?!bits?$|ch$|fps$|audio$)\p{L}[\p{L}\d]{1,19}$/u;

/** "(1080p BluRay x265 INV)", "[1080p x265-INV]", "(1080p BluRay x265 INV-MORE)". */
function lastInBrackets(
  text: string,
  tokens: readonly Token[],
  tags: readonly Tag[],
  bracket: Bracket,
): ReleaseGroup | undefined {
  const to = bracket.end;
  const isTag = (place: number) => tags.some((tag) => tag.from <= place && tag.to > place);
  const follows = (place: number) => tags.some((tag) => tag.to === place && tag.from >= bracket.first);
  let from = to - 1;
  while (from > Math.max(bracket.first, to - MAX_DASHES) && tokens[from]?.sep === '-' && !follows(from))
    from--;
  const words = tokens.slice(from, to);
  if (!follows(from) || words.some((token, index) => isTag(from + index) || !WORD.test(token.text))) {
    return undefined;
  }
  return { from, to, name: text.slice(tokens[from]?.from, tokens[to - 1]?.to) };
}

/** Written as groups are, not as words of a text: two capitals at least. */
const NAME = /\p{Lu}.*\p{Lu}/u;

/** Whether the unbroken row of tags that ends at that place holds a sure one: "H264 AAC2.0", "1080p WEB". */
function endsSureRow(tags: readonly Tag[], end: number): boolean {
  const tag = tags.find((one) => one.to === end);
  return tag !== undefined && (tag.trust === 'strong' || endsSureRow(tags, tag.from));
}

const BY = /^(?:by|от|von|par)$/;

/** "… x264 INV", "[1080p] INV", "… by INV": the only word behind the tags. */
function lastWord({ tokens, tags, from }: NameEnd): ReleaseGroup | undefined {
  const end = endWithoutMarks(tokens, tags);
  const at = end - 1;
  const token = tokens[at];
  if (token === undefined || at <= from || token.bracket !== undefined || !WORD.test(token.text))
    return undefined;
  const by = BY.test(tokens[at - 1]?.key ?? '');
  const before = tags.find((tag) => tag.to === (by ? at - 1 : at));
  const isTag = tags.some((tag) => tag.from < end && tag.to >= end);
  if (before === undefined || isTag || !/^[\])}]?[\s._]$/.test(token.sep)) return undefined;
  const bracketed = tokens[before.from]?.bracket !== undefined;
  const sure = before.trust === 'strong' || (NAME.test(token.text) && endsSureRow(tags, before.to));
  return by || bracketed || sure ? { from: by ? at - 1 : at, to: end, name: token.text } : undefined;
}
