import { compilePattern, type Pattern } from '../pattern/pattern.ts';
import { PatternError } from '../pattern/syntax.ts';
import type { CustomFormat, FormatCondition } from './format.ts';

/** A person's custom formats, ready to be held against many releases. What several formats ask is asked once. */
export interface FormatSet {
  readonly tests: readonly FormatTest[];
  readonly formats: readonly CompiledFormat[];
  /** Formats that are not used, and why; in words for the person. */
  readonly problems: readonly string[];
}

export type FormatTest =
  | { readonly kind: 'pattern'; readonly text: 'name' | 'group' | 'edition'; readonly pattern: Pattern }
  | { readonly kind: 'fact'; readonly condition: FactCondition };

/** What is no pattern. */
export type FactCondition = Exclude<FormatCondition, { readonly pattern: string }>;

interface CompiledFormat {
  readonly name: string;
  readonly score: number;
  /** The conditions by their kind. */
  readonly kinds: readonly (readonly Term[])[];
}

export interface Term {
  /** Place in FormatSet.tests. */
  readonly test: number;
  readonly negate: boolean;
  readonly required: boolean;
}

/** All formats together: each of them is a column of results as long as the list of releases. */
const MAX_CONDITIONS = 5_000;

export function compileFormats(given: readonly CustomFormat[]): FormatSet {
  const collected = new TestCollection();
  const formats: CompiledFormat[] = [];
  const problems: string[] = [];
  let conditions = 0;
  for (const format of given) {
    conditions += format.conditions.length;
    try {
      if (conditions > MAX_CONDITIONS)
        throw new PatternError(`there are more than ${MAX_CONDITIONS} conditions`);
      formats.push(compileFormat(format, collected));
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      problems.push(`The custom format "${format.name}" is not used: ${error.message}.`);
    }
  }
  return { tests: collected.tests, formats, problems };
}

function compileFormat({ name, score, conditions }: CustomFormat, collected: TestCollection): CompiledFormat {
  const kinds = new Map<FormatCondition['kind'], Term[]>();
  for (const condition of conditions) {
    const terms = kinds.get(condition.kind) ?? [];
    terms.push({ test: collected.place(condition), negate: condition.negate, required: condition.required });
    kinds.set(condition.kind, terms);
  }
  return { name, score, kinds: [...kinds.values()] };
}

/** Every test once. */
class TestCollection {
  readonly tests: FormatTest[] = [];
  readonly #places = new Map<string, number>();

  place(condition: FormatCondition): number {
    const { name: _name, negate: _negate, required: _required, ...asked } = condition;
    const key = JSON.stringify(asked);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.tests.push(testOf(condition)) - 1;
    this.#places.set(key, place);
    return place;
  }
}

function testOf(condition: FormatCondition): FormatTest {
  if (!('pattern' in condition)) return { kind: 'fact', condition };
  const pattern = compilePattern(condition.pattern, { ignoreCase: true });
  return { kind: 'pattern', text: condition.kind, pattern };
}
