import * as v from 'valibot';
import type { HandedOverFilm, ServiceHost } from '../host/port.ts';
import { hexHash } from '../io/hash.ts';

/**
 * What was played since the media centre has started, for the service of the add-on's next version: a list may still hold
 * the addresses of this one, and what opens their files is lost with it. In a property, because that ends with the media
 * centre. Everybody can read it, so it holds no secret: of an address, which is the right to read a file, a hash alone.
 */
const PLAYED_PROPERTY = 'slipstream.played';

/** As many addresses as are kept to be opened again (session/ended-sessions.ts). */
export const MAX_PLAYED = 200;
/** Characters of the property's text. */
export const MAX_TEXT = 128 * 1024;

const Entry = v.tuple([v.string(), v.string(), v.string()]);
/** A hash of the session's id; the call that starts its film anew; PlayItem.mark. */
type Entry = v.InferOutput<typeof Entry>;

const Text = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    version: v.literal(1),
    /** Where the data lay of those who played it: another profile's films are nobody's business. */
    data: v.string(),
    films: v.array(Entry),
  }),
);

/** The films that were played, by the ids of their sessions. The oldest go first. */
export interface PlayedFilms {
  readonly add: (id: string, film: HandedOverFilm) => Promise<void>;
  /** Undefined: nothing by which the film can be started anew. */
  readonly of: (id: string) => HandedOverFilm | undefined;
}

/** Takes over what the services before have noted, and forgets what was played in another profile. */
export async function openPlayedFilms({
  properties,
  dataFolder: data,
}: Pick<ServiceHost, 'properties' | 'dataFolder'>): Promise<PlayedFilms> {
  const found = v.safeParse(Text, await properties.get(PLAYED_PROPERTY));
  const films = new Map<string, Entry>();
  if (found.success && found.output.data === data)
    for (const entry of found.output.films.slice(-MAX_PLAYED)) films.set(entry[0], entry);
  else await properties.clear(PLAYED_PROPERTY);
  return {
    add: async (id, { origin, mark }) => {
      // A bare URL may hold a secret, so that nobody keeps what starts it.
      if (origin === '') return;
      const key = keyOf(id);
      films.delete(key);
      films.set(key, [key, origin, mark]);
      await properties.set(PLAYED_PROPERTY, textOf(films, data));
    },
    of: (id) => {
      const entry = films.get(keyOf(id));
      return entry && { origin: entry[1], mark: entry[2] };
    },
  };
}

/** What fits, after the rest has been forgotten. */
function textOf(films: Map<string, Entry>, data: string): string {
  for (const oldest of films.keys()) {
    const text = JSON.stringify({ version: 1, data, films: [...films.values()] });
    if (films.size <= MAX_PLAYED && text.length <= MAX_TEXT) return text;
    films.delete(oldest);
  }
  return '';
}

const keyOf = (id: string): string => hexHash(id, 32);
