import * as v from 'valibot';
import type { Properties } from '../host/port.ts';
import { maskStreamUrl } from '../resolver.ts';
import type { Film, SavedFilm } from './film.ts';

/**
 * Where the film that plays is, for an engine that takes this one's place: the player may have lost the film by then,
 * and with it the second. Lost with the media centre; holds no secret.
 */
const STATE_PROPERTY = 'slipstream.place';

const StateShape = v.object({
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
export async function savePlaybackState(film: Film | undefined, properties: Properties): Promise<void> {
  if (film === undefined) return properties.clear(STATE_PROPERTY);
  const { url, origin, mark, title, progress } = film;
  const known: SavedFilm = { url: maskStreamUrl(url), origin, mark, title, progress: progress.saved };
  await properties.set(STATE_PROPERTY, JSON.stringify(known));
}

/** Where the engine before has left a film; undefined when that is not known. */
export async function readPlaybackState(url: string, properties: Properties): Promise<SavedFilm | undefined> {
  const parsed = v.safeParse(
    v.pipe(v.string(), v.parseJson(), StateShape),
    await properties.get(STATE_PROPERTY),
  );
  return parsed.success && parsed.output.url === maskStreamUrl(url) ? parsed.output : undefined;
}
