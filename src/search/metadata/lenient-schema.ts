import * as v from 'valibot';

// Schemas for answers of which any field may be missing, null or of another kind: each is looked at by itself.

export const anything = v.optional(v.unknown());

export const lenient = <S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined);

/** A list without the items that do not fit. */
export const lenientList = <S extends v.GenericSchema>(item: S) =>
  v.pipe(
    v.fallback(v.array(lenient(item)), []),
    v.transform((items) => items.filter((each) => each !== undefined)),
  );

/** What a schema makes of an answer; undefined when it is something else altogether. */
export function parseLenient<S extends v.GenericSchema>(
  schema: S,
  answer: unknown,
): v.InferOutput<S> | undefined {
  const { success, output } = v.safeParse(schema, answer);
  return success ? output : undefined;
}
