import type { MediaIds, MediaRequest } from '../../model/index.ts';
import type { PlayItem } from '../port.ts';

/** The bridge's `item`, as far as it is looked into again. */
export interface KodiItem {
  readonly url: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** The bridge's `item` (docs/bridge.md): all that Kodi should know and show about what it plays. */
export function kodiListItem({ stream, request, title, startAt }: PlayItem, bookmark: string): KodiItem {
  return {
    url: stream.url,
    ...(stream.mime !== undefined && { mime: stream.mime }),
    label: title,
    info: request === undefined ? { title } : info(request),
    art: request === undefined ? {} : art(request),
    ids: request === undefined ? {} : uniqueIds(request),
    ...(stream.subtitles !== undefined && { subtitles: stream.subtitles }),
    ...(startAt !== undefined && { startAt: Math.round(startAt) }),
    // What Kodi's video database shall remember instead of the stream's URL, which is dead tomorrow (kodi.md §3.3).
    properties: bookmark === '' ? {} : { original_listitem_url: bookmark },
  };
}

function info(request: MediaRequest): object {
  const common = {
    plot: request.plot,
    originaltitle: request.originalTitle,
    year: request.year,
    duration: request.runtime === undefined ? undefined : Math.round(request.runtime * 60),
  };
  const { title: film, premiered } = request;
  if (request.episode === undefined)
    return defined({ mediatype: 'movie', title: film, premiered, ...common });
  const { season, episode, title, aired } = request.episode;
  return defined({
    mediatype: 'episode',
    title: title ?? `Episode ${episode}`,
    tvshowtitle: film,
    season,
    episode,
    premiered: aired,
    ...common,
  });
}

const art = ({ poster, fanart, thumb, clearlogo }: MediaRequest) =>
  defined({ poster, fanart, thumb, clearlogo });

/** Those of an episode are its own; its show's come under names of their own, as TMDbHelper gives them. */
function uniqueIds({ ids, episode }: MediaRequest): object {
  if (episode === undefined) return defined({ ...ids });
  const { imdb, tmdb, tvdb } = ids;
  return defined({ ...episode.ids, 'tvshow.imdb': imdb, 'tvshow.tmdb': tmdb, 'tvshow.tvdb': tvdb });
}

/**
 * What script.trakt takes for a film that is not in Kodi's library, from the home window: the film's ids, or the show's.
 * Empty when none is known.
 */
export function traktIds(ids: MediaIds | undefined): string {
  const known = defined({ imdb: ids?.imdb, tmdb: numberOf(ids?.tmdb), tvdb: numberOf(ids?.tvdb) });
  return Object.keys(known).length === 0 ? '' : JSON.stringify(known);
}

const numberOf = (id: string | undefined) => (id === undefined ? undefined : Number(id));

function defined(values: Readonly<Record<string, string | number | undefined>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
