import type { Release } from '../../model/index.ts';
import { type BoundedTexts, Budget, boundedTexts, findIn } from '../pattern/capped.ts';
import type { RequestFacts } from '../running-time.ts';
import type { FormatSet, FormatTest, Term } from './compile.ts';
import { matchesCondition } from './match-condition.ts';

/** What the custom formats make of one release. */
export interface FormatMatch {
  /** Names of those that it matches, in the person's order. */
  readonly names: readonly string[];
  /** Their points together. */
  readonly score: number;
}

interface MatchOptions extends RequestFacts {
  readonly budget?: Budget;
  /** Told what could not be done, in words for the person. */
  readonly report?: (problem: string) => void;
}

/**
 * Holds each release against each format. A format matches when of every kind of its conditions all required ones
 * hold, and at least one. One whose patterns take too long counts for no release of the list.
 */
export function matchFormats(
  releases: readonly Release[],
  { tests, formats }: FormatSet,
  { budget = new Budget(), report, ...facts }: MatchOptions = {},
): FormatMatch[] {
  const matches = releases.map(() => ({ names: [] as string[], score: 0 }));
  if (formats.length === 0 || releases.length === 0) return matches;
  const texts = textsOf(releases);
  const columns = tests.map((test) => columnOf(test, releases, texts, facts, budget));
  for (const { name, score, kinds } of formats) {
    const matching = formatColumn(kinds, columns, releases.length);
    if (matching === undefined) {
      report?.(`The custom format "${name}" was left out: its patterns take too long on this list.`);
      continue;
    }
    matches.forEach((match, index) => {
      if (matching[index] !== 1) return;
      match.names.push(name);
      match.score += score;
    });
  }
  return matches;
}

type Texts = Readonly<Record<'name' | 'group' | 'edition', BoundedTexts>>;

function textsOf(releases: readonly Release[]): Texts {
  return {
    name: boundedTexts(releases.map(({ name }) => name)),
    group: boundedTexts(
      releases.map(({ quality }) => quality.group ?? ''),
      true,
    ),
    edition: boundedTexts(
      releases.map(({ quality }) => quality.editions.join(' ')),
      true,
    ),
  };
}

/** 1 or 0 for each release; undefined when that took too long. */
type Column = Uint8Array | undefined;

function columnOf(
  test: FormatTest,
  releases: readonly Release[],
  texts: Texts,
  facts: RequestFacts,
  budget: Budget,
): Column {
  if (test.kind === 'fact') {
    return Uint8Array.from(releases, (release) => (matchesCondition(test.condition, release, facts) ? 1 : 0));
  }
  return findIn(texts[test.text], test.pattern, budget);
}

function formatColumn(
  kinds: readonly (readonly Term[])[],
  columns: readonly Column[],
  length: number,
): Column {
  const matching = new Uint8Array(length).fill(1);
  for (const terms of kinds) {
    const any = new Uint8Array(length);
    for (const { test, negate, required } of terms) {
      const column = columns[test];
      if (column === undefined) return undefined;
      const wanted = negate ? 0 : 1;
      for (let index = 0; index < length; index++) {
        if (column[index] === wanted) any[index] = 1;
        else if (required) matching[index] = 0;
      }
    }
    for (let index = 0; index < length; index++) if (any[index] === 0) matching[index] = 0;
  }
  return matching;
}
