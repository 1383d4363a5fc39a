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

const Lists = v.object({
  criteria: v.optional(v.pipe(v.array(Name), v.maxLength(100)), []),
  formats: v.optional(v.pipe(v.array(CustomFormat), v.maxLength(MAX_FORMATS)), []),
  minScore: v.optional(v.pipe(v.number(), v.finite())),
  tiers: v.optional(v.pipe(v.array(v.pipe(v.array(Name), v.maxLength(MAX_GROUPS))), v.maxLength(3)), []),
});

/**
 * Reads the stored document. A criterion that this version does not know, or that is there twice, is left out.
 * @throws ValiError when it is not of this shape
 */
export function parsePreferenceLists(value: unknown): PreferenceLists {
  const { criteria, formats, minScore, tiers } = v.parse(Lists, value);
  return {
    criteria: CRITERION_IDS.filter((id) => criteria.includes(id)).sort(
      (a, b) => criteria.indexOf(a) - criteria.indexOf(b),
    ),
    formats,
    ...(minScore !== undefined && { minScore }),
    tiers,
  };
}
