import * as v from 'valibot';
import type { MediaIds, MediaRequest } from '../../model/index.ts';
import { plainWords } from '../../release/index.ts';

const MAX_TITLE = 300;
const MAX_TITLES = 40;

const title = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_TITLE));
const positiveInteger = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000));
const id = v.pipe(v.string(), v.regex(/^(?:tt)?\d{1,12}$/));

/** What a service knows of a film or an episode, of all that a request may lack. Absent: it does not say. */
export const Metadata = v.object({
  /** The best known first: in English, then the others. */
  titles: v.pipe(v.array(title), v.maxLength(MAX_TITLES), v.readonly()),
  originalTitle: v.exactOptional(title),
  /** Of the film, or of the show's first broadcast. */
  year: v.exactOptional(positiveInteger),
  ids: v.object({
    imdb: v.exactOptional(id),
    tmdb: v.exactOptional(id),
    tvdb: v.exactOptional(id),
    tvmaze: v.exactOptional(id),
  }),
  /** Minutes. */
  runtime: v.exactOptional(positiveInteger),
  originalLanguage: v.exactOptional(v.pipe(v.string(), v.regex(/^[a-z]{2}$/))),
  anime: v.boolean(),
  absoluteEpisode: v.exactOptional(positiveInteger),
  episodeTitle: v.exactOptional(title),
  aired: v.exactOptional(v.pipe(v.string(), v.isoDate())),
});
export type Metadata = v.InferOutput<typeof Metadata>;

/** What a service told, before it is known to make any sense. */
export interface RawMetadata {
  readonly titles: readonly unknown[];
  readonly ids: Readonly<Record<keyof MediaIds, unknown>>;
  readonly anime: boolean;
  readonly originalTitle?: unknown;
  readonly year?: unknown;
  readonly runtime?: unknown;
  readonly originalLanguage?: unknown;
  readonly absoluteEpisode?: unknown;
  readonly episodeTitle?: unknown;
  readonly aired?: unknown;
}

/** Keeps of what was told whatever makes sense by itself. */
export function validMetadata(told: RawMetadata): Metadata {
  const { titles, ids, anime, ...fields } = told;
  const entries = Metadata.entries;
  return {
    titles: unique(titles.filter((each): each is string => v.is(title, each))).slice(0, MAX_TITLES),
    ids: validFields(ids, entries.ids.entries),
    anime,
    ...validFields(fields, {
      originalTitle: entries.originalTitle,
      year: entries.year,
      runtime: entries.runtime,
      originalLanguage: entries.originalLanguage,
      absoluteEpisode: entries.absoluteEpisode,
      episodeTitle: entries.episodeTitle,
      aired: entries.aired,
    }),
  };
}

type Schemas = Readonly<Record<string, v.GenericSchema>>;
type ValidFields<S extends Schemas> = { [K in keyof S]?: v.InferOutput<S[K]> };

function validFields<S extends Schemas>(
  values: Readonly<Record<string, unknown>>,
  schemas: S,
): ValidFields<S> {
  const kept = Object.entries(schemas).filter(
    ([name, schema]) => values[name] !== undefined && v.is(schema, values[name]),
  );
  return Object.fromEntries(kept.map(([name]) => [name, values[name]])) as ValidFields<S>;
}

/** The request, with the facts where it says nothing. */
export function withMetadata(request: MediaRequest, facts: Metadata): MediaRequest {
  const { originalTitle = facts.originalTitle, year = facts.year, episode } = request;
  const { runtime = facts.runtime, originalLanguage = facts.originalLanguage } = request;
  const { absoluteEpisode = facts.absoluteEpisode, anime = facts.anime || undefined } = request;
  const others = unique([...(request.alternativeTitles ?? []), ...facts.titles]);
  const said = new Set([request.title, originalTitle ?? ''].map(plainWords));
  const alternativeTitles = others.filter((each) => !said.has(plainWords(each)));
  return {
    ...request,
    ...(originalTitle !== undefined && originalTitle !== request.title && { originalTitle }),
    ...(alternativeTitles.length > 0 && { alternativeTitles }),
    ...(year !== undefined && { year }),
    ids: { ...facts.ids, ...request.ids },
    ...(runtime !== undefined && { runtime }),
    ...(originalLanguage !== undefined && { originalLanguage }),
    ...(anime !== undefined && { anime }),
    ...(absoluteEpisode !== undefined && { absoluteEpisode }),
    ...(episode !== undefined && {
      episode: {
        ...(facts.episodeTitle !== undefined && { title: facts.episodeTitle }),
        ...(facts.aired !== undefined && { aired: facts.aired }),
        ...episode,
      },
    }),
  };
}

/** Each title once, whatever its signs and capitals. */
function unique(titles: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const each of titles) {
    const words = plainWords(each) || each;
    if (!seen.has(words)) seen.set(words, each);
  }
  return [...seen.values()];
}
