import * as v from 'valibot';
import { CustomFormat } from './formats/format.ts';
import { CRITERION_IDS, type CriterionId } from './rank/ids.ts';

/** The preferences that are lists, and so have a document of their own. */
export interface PreferenceLists {
  /** What "best first" means, the weightiest first. Empty: the default. */
  readonly criteria: readonly CriterionId[];
  readonly formats: readonly CustomFormat[];
  /** Points of custom formats that a release needs at least. */
  readonly minScore?: number;
  /** Preferred groups, the most preferred tier first. */
  readonly tiers: readonly (readonly string[])[];
}

export const NO_LISTS: PreferenceLists = { criteria: [], formats: [], tiers: [] };

const MAX_FORMATS = 500;
const MAX_GROUPS = 500;
const Name = v.pipe(v.string(), v.maxLength(200));

const Criterion = v.picklist(CRITERION_IDS);
const Score = v.pipe(v.number(), v.finite());
const MAX_CRITERIA = 100;
const MAX_TIERS = 3;

/**
 * Reads the document, which people write by hand: each field, and each entry of a list, by itself. What makes no sense
 * is left out and told to `report` in words that follow "…: "; a tier of which nothing is left keeps its place.
 */
export function parsePreferenceLists(
  value: unknown,
  report: (problem: string) => void = () => undefined,
): PreferenceLists {
  const fields = v.safeParse(v.record(v.string(), v.unknown()), value);
  if (!fields.success) {
    report('it holds no lists');
    return NO_LISTS;
  }
  const { criteria, formats, minScore, tiers } = fields.output;
  const score = v.safeParse(v.optional(Score), minScore);
  if (!score.success) report('minScore is no number');
  return {
    criteria: [...new Set(listOf(Criterion, criteria, { what: 'criteria', most: MAX_CRITERIA, report }))],
    formats: listOf(CustomFormat, formats, { what: 'formats', most: MAX_FORMATS, report }),
    ...(score.success && score.output !== undefined && { minScore: score.output }),
    tiers: listOf(v.unknown(), tiers, { what: 'tiers', most: MAX_TIERS, report }).map((tier, index) =>
      listOf(Name, tier, { what: `tier ${index + 1}`, most: MAX_GROUPS, report }),
    ),
  };
}

interface ListOptions {
  /** Its name, for the reports. */
  readonly what: string;
  readonly most: number;
  readonly report: (problem: string) => void;
}

/** The entries that make sense; none when there is no such list. */
function listOf<S extends v.GenericSchema>(
  entry: S,
  value: unknown,
  { what, most, report }: ListOptions,
): v.InferOutput<S>[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    report(`${what} is no list`);
    return [];
  }
  if (value.length > most) report(`${what} holds ${value.length} entries, and only the first ${most} count`);
  return value.slice(0, most).flatMap((each: unknown, index) => {
    const parsed = v.safeParse(entry, each);
    if (parsed.success) return [parsed.output];
    const [issue] = parsed.issues;
    const where = v.getDotPath(issue);
    report(
      `entry ${index + 1} of ${what} is left out: ${where === null ? '' : `its ${where}: `}${issue.message}`,
    );
    return [];
  });
}
