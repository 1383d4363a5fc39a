import * as v from 'valibot';
import type { Properties } from '../host/port.ts';
import { announced } from '../resolver.ts';
import type { Film, KnownFilm } from './film.ts';

/**
 * Where the film that plays is, for an engine that takes this one's place: the player may have lost the film by then,
 * and with it the second. Lost with the media centre; holds no secret.
 */
const PLACE = 'slipstream.place';

const Known = v.object({
  url: v.string(),
  origin: v.string(),
  mark: v.string(),
  title: v.string(),
  progress: v.object({
    time: v.pipe(v.number(), v.minValue(0)),
    duration: v.pipe(v.number(), v.minValue(0)),
    isOpen: v.boolean(),
  }),
});

/** Writes down where the film is; `undefined`: none plays any more. */
export async function keepPlace(film: Film | undefined, properties: Properties): Promise<void> {
  if (film === undefined) return properties.clear(PLACE);
  const { url, origin, mark, title, progress } = film;
  const known: KnownFilm = { url: announced(url), origin, mark, title, progress: progress.known };
  await properties.set(PLACE, JSON.stringify(known));
}

/** Where the engine before has left a film; undefined when that is not known. */
export async function knownPlace(url: string, properties: Properties): Promise<KnownFilm | undefined> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Known), await properties.get(PLACE));
  return parsed.success && parsed.output.url === announced(url) ? parsed.output : undefined;
}
