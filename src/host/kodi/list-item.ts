import type { MediaRequest } from '../../model/index.ts';
import type { PlayItem } from '../port.ts';

/** The bridge's `item`, as far as it is looked into again. */
export interface KodiItem {
  readonly url: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** The bridge's `item` (docs/bridge.md): all that Kodi should know and show about what it plays. */
export function kodiListItem({ stream, request, title }: PlayItem, origin: string): KodiItem {
  return {
    url: stream.url,
    mime: stream.mime,
    label: title,
    info: request === undefined ? { title } : info(request),
    art: request === undefined ? {} : defined({ poster: request.poster, fanart: request.fanart }),
    ids: request === undefined ? {} : defined({ ...request.ids }),
    // What Kodi's video database shall remember instead of the stream's URL, which is dead tomorrow (kodi21.md).
    properties: origin === '' ? {} : { original_listitem_url: origin },
  };
}

function info(request: MediaRequest): object {
  const common = { plot: request.plot, originaltitle: request.originalTitle, year: request.year };
  if (request.episode === undefined) return defined({ mediatype: 'movie', title: request.title, ...common });
  const { season, episode, title, aired } = request.episode;
  return defined({
    mediatype: 'episode',
    title: title ?? `Episode ${episode}`,
    tvshowtitle: request.title,
    season,
    episode,
    premiered: aired,
    ...common,
  });
}

function defined(values: Readonly<Record<string, string | number | undefined>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
