import * as v from 'valibot';

/** A list whose odd elements are left out, and of those that make sense only so many are kept. */
export const boundedList = <T>(element: v.GenericSchema<unknown, T>, most: number) =>
  v.pipe(
    v.array(v.unknown()),
    v.transform((all): T[] =>
      all.slice(0, most).flatMap((each) => {
        const parsed = v.safeParse(element, each);
        return parsed.success ? [parsed.output] : [];
      }),
    ),
  );
