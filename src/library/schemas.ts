import * as v from 'valibot';
import { hexHash } from '../io/hash.ts';

// What documents of this room are made of.

const MAX_TEXT = 1_000;

export const textSchema = v.pipe(v.string(), v.maxLength(MAX_TEXT));
/** Milliseconds since the epoch, as far as dates go. */
export const timeSchema = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));
export const bytesSchema = v.pipe(v.number(), v.finite(), v.minValue(0));
/** A season, an episode, a year. */
export const numberSchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000));

export const StoredWork = v.object({
  ids: v.object({
    tmdb: v.exactOptional(textSchema),
    imdb: v.exactOptional(textSchema),
    tvdb: v.exactOptional(textSchema),
    tvmaze: v.exactOptional(textSchema),
  }),
  title: textSchema,
  year: v.exactOptional(numberSchema),
});

/** A name for a document: 32 hexadecimal digits that tell of nothing. */
export const hashOf = (value: unknown) => hexHash(JSON.stringify(value), 32);
