import type { Tag } from './tags.ts';
import type { Bracket, Token } from './tokens.ts';

/** Who released it, and which words say so. */
export interface Group {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** What the group is looked for in: the name, its words, its tags, and from where on a group may stand. */
export interface Ending {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly tags: readonly Tag[];
  readonly from: number;
}

/** The group at a name's end: "-INV", " - INV", "[INV]", "(… INV)", or the last word behind the tags. */
export function groupAtEnd(ending: Ending): Group | undefined {
  return behindDash(ending) ?? inBrackets(ending) ?? lastWord(ending);
}

const JOINED = /(?:^|[^\s])-$/;
const SPACED = /\s-\s?$/;

function behindDash({ text, tokens, tags, from }: Ending): Group | undefined {
  const end = endWithoutMarks(tokens, tags);
  for (let at = end - 1; at >= Math.max(from, 1, end - 4); at--) {
    const token = tokens[at];
    if (token === undefined) return undefined;
    if (JOINED.test(token.sep)) {
      if (tags.some((tag) => tag.from < at && tag.to > at)) return undefined;
      const first = at > from && isSplitName(tokens, tags, at) ? at - 1 : at;
      return named(text, tokens, tags, first, end);
    }
    if (SPACED.test(token.sep)) return named(text, tokens, tags, at, end);
    if (/[\s[\](){}]/.test(token.sep)) return undefined;
  }
  return undefined;
}

/** "-D-Z0N3": a short part before another dash belongs to the name. */
function isSplitName(tokens: readonly Token[], tags: readonly Tag[], at: number): boolean {
  const before = tokens[at - 1];
  return (
    before !== undefined &&
    before.text.length <= 2 &&
    before.sep === '-' &&
    !/^\d/.test(before.text) &&
    !tags.some((tag) => tag.from < at && tag.to >= at)
  );
}

function named(
  text: string,
  tokens: readonly Token[],
  tags: readonly Tag[],
  from: number,
  to: number,
): Group | undefined {
  const [first, last] = [tokens[from], tokens[to - 1]];
  if (first === undefined || last === undefined) return undefined;
  const name = text.slice(first.from, last.to);
  if (/^\d{1,3}$/.test(name) || name.length > 30) return undefined;
  // A tag behind a dash is a tag ("x264-DTS"), unless words that are none follow it ("-NF.INV" is no group either).
  const tag = tags.find((one) => one.from <= from && one.to > from);
  const isTag = tag !== undefined && (tag.trust === 'strong' || tag.to >= to) && !isShortWord(first, tag);
  return isTag ? undefined : { from, to, name };
}

/** Letters that mean something elsewhere may name a group: "-TS", "-CC". */
const isShortWord = (token: Token, tag: Tag) =>
  tag.trust !== 'strong' &&
  tag.trust !== 'weak' &&
  tag.facts.languages === undefined &&
  token.text.length <= 3;

/** Behind the group may stand brackets with a checksum, an indexer's mark, or tags. */
function endWithoutMarks(tokens: readonly Token[], tags: readonly Tag[]): number {
  let end = tokens.length;
  for (;;) {
    const bracket = tokens[end - 1]?.bracket;
    if (bracket === undefined || bracket.end !== end || bracket.first === 0) return end;
    if (!isChecksum(tokens, bracket) && !isTagged(tags, bracket)) return end;
    end = bracket.first;
  }
}

const isChecksum = (tokens: readonly Token[], bracket: Bracket) =>
  bracket.end - bracket.first === 1 && /^[\dA-F]{8}$/i.test(tokens[bracket.first]?.text ?? '');

const isTagged = (tags: readonly Tag[], bracket: Bracket) =>
  tags.some((tag) => tag.from >= bracket.first && tag.from < bracket.end);

function inBrackets({ text, tokens, tags, from }: Ending): Group | undefined {
  let end = tokens.length;
  while (end > from) {
    const bracket = tokens[end - 1]?.bracket;
    if (bracket === undefined || bracket.end !== end || bracket.first <= from) return undefined;
    const size = bracket.end - bracket.first;
    if (bracket.kind === '[' && size <= 4 && !isChecksum(tokens, bracket) && !isTagged(tags, bracket)) {
      const name = text.slice(bracket.from, bracket.to).trim();
      if (/[\p{L}]/u.test(name)) return { from: bracket.first, to: bracket.end, name };
    }
    const last = lastInBrackets(tokens, tags, bracket);
    if (last !== undefined) return last;
    end = bracket.first;
  }
  return undefined;
}

/** "(1080p BluRay x265 INV)", "[1080p x265-INV]". */
function lastInBrackets(tokens: readonly Token[], tags: readonly Tag[], bracket: Bracket): Group | undefined {
  const at = bracket.end - 1;
  const token = tokens[at];
  const tagged = tags.some((tag) => tag.to === at && tag.from >= bracket.first);
  if (token === undefined || !tagged || tags.some((tag) => tag.to > at && tag.from <= at)) return undefined;
  return /^\p{L}[\p{L}\d]*$/u.test(token.text) && token.text.length <= 20
    ? { from: at, to: at + 1, name: token.text }
    : undefined;
}

/** "… x264 INV": the only word behind the tags. */
function lastWord({ tokens, tags, from }: Ending): Group | undefined {
  const end = endWithoutMarks(tokens, tags);
  const token = tokens[end - 1];
  if (token === undefined || end - 1 <= from || token.bracket !== undefined) return undefined;
  const before = tags.find((tag) => tag.to === end - 1);
  const isTag = tags.some((tag) => tag.from < end && tag.to >= end);
  if (before === undefined || isTag || !/^[\s._]$/.test(token.sep)) return undefined;
  return before.trust === 'strong' && /^\p{L}[\p{L}\d]{1,19}$/u.test(token.text)
    ? { from: end - 1, to: end, name: token.text }
    : undefined;
}
