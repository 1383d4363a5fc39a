import type { FocusedItem } from '../../host/port.ts';
import { haveSameIds, type MediaRequest } from '../../model/index.ts';
import { plainWords } from '../../release/index.ts';
import { withMetadata } from './metadata.ts';

/**
 * The request, with what the media centre shows of it where it says nothing. What is shown may be another item: whoever
 * started the play may have moved on since, or never had it in focus. It counts only where it agrees with the request.
 */
export function withFocusedItem(request: MediaRequest, item: FocusedItem): MediaRequest {
  const { title, originalTitle, year, runtime, ids } = item;
  const nothing = { titles: [], ids: {}, anime: false, ...(runtime !== undefined && { runtime }) };
  if (request.episode === undefined) {
    if (!isRequestedFilm(request, item)) return request;
    return withMetadata(request, {
      ...nothing,
      ids,
      ...(originalTitle !== undefined && { originalTitle }),
      ...(year !== undefined && { year }),
    });
  }
  // An episode's ids, year and original title are its own, and those of a request are its show's.
  if (!isRequestedEpisode(request, item)) return request;
  return withMetadata(request, { ...nothing, ...(title !== undefined && { episodeTitle: title }) });
}

/** By an id that both tell; without one by title and year. An id that differs says more than any title. */
function isRequestedFilm(request: MediaRequest, { title, showTitle, year, ids }: FocusedItem): boolean {
  if (showTitle !== undefined) return false;
  const isTitled = hasTitle(request, title) && year !== undefined && year === request.year;
  return haveSameIds(ids, request.ids) ?? isTitled;
}

function isRequestedEpisode(request: MediaRequest, { showTitle, season, episode }: FocusedItem): boolean {
  const wanted = request.episode;
  return hasTitle(request, showTitle) && season === wanted?.season && episode === wanted?.episode;
}

function hasTitle({ title, originalTitle, alternativeTitles = [] }: MediaRequest, name = ''): boolean {
  const words = plainWords(name);
  return (
    words !== '' &&
    [title, originalTitle ?? '', ...alternativeTitles].some((each) => plainWords(each) === words)
  );
}
