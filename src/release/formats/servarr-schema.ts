import * as v from 'valibot';

const MAX_CONDITIONS = 500;
const MAX_FIELDS = 50;

const Name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200));
const Score = v.union([
  v.pipe(v.number(), v.finite()),
  v.pipe(v.string(), v.regex(/^-?\d{1,7}$/), v.transform(Number)),
]);

/** A list of pairs, as the API has it, or an object, as files have it. */
const Fields = v.union([
  v.pipe(
    v.array(v.object({ name: v.string(), value: v.optional(v.unknown()) })),
    v.maxLength(MAX_FIELDS),
    v.transform(
      (pairs): Record<string, unknown> => Object.fromEntries(pairs.map(({ name, value }) => [name, value])),
    ),
  ),
  v.pipe(v.record(v.string(), v.unknown()), v.maxEntries(MAX_FIELDS)),
]);

const Specification = v.object({
  name: v.optional(v.pipe(v.string(), v.maxLength(200)), ''),
  implementation: v.pipe(v.string(), v.maxLength(100)),
  infoLink: v.optional(v.string()),
  negate: v.optional(v.boolean(), false),
  required: v.optional(v.boolean(), false),
  fields: Fields,
});
export type Specification = v.InferOutput<typeof Specification>;

/** A custom format as Radarr and Sonarr write it; the guides add their points for it. */
export const ServarrFormat = v.pipe(
  v.object({
    name: Name,
    specifications: v.pipe(v.array(Specification), v.minLength(1), v.maxLength(MAX_CONDITIONS)),
    score: v.optional(Score),
    trash_score: v.optional(Score),
    trash_scores: v.optional(v.object({ default: v.optional(Score) })),
  }),
  v.transform(({ name, specifications, score, trash_score, trash_scores }) => ({
    name,
    specifications,
    score: Math.max(-1_000_000, Math.min(1_000_000, score ?? trash_scores?.default ?? trash_score ?? 0)),
  })),
);
