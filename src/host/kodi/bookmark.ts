import { ID_KINDS, type MediaRequest } from '../../model/index.ts';

/**
 * Under which name Kodi's video database keeps where a film was left that we play without a row (kodi.md §3.3,
 * `original_listitem_url`). It is a name alone: nobody calls it, and with an id it could not be played, for the title is
 * missing. It is made of an id, without any of title and year, for whatever else a call carries changes from one day to
 * the next, as plot and pictures do.
 *
 * @param given What the call gave: what is looked up, ids as well, may fail the next time, and the name would be another.
 */
export function bookmarkUrl(given: MediaRequest, addonId: string): string {
  const { kind, ids, title, year, episode } = given;
  // Always the first in one order: a key by another id would be another bookmark.
  const id = ID_KINDS.find((each) => ids[each] !== undefined);
  const key = new URLSearchParams({
    type: kind,
    ...(id === undefined ? titleParameters(kind, title, year) : { [id]: ids[id] ?? '' }),
    ...(episode !== undefined && { season: String(episode.season), episode: String(episode.episode) }),
  });
  return `plugin://${addonId}/play?${key.toString()}`;
}

const titleParameters = (kind: MediaRequest['kind'], title: string, year: number | undefined) => ({
  ...(kind === 'movie' ? { title } : { showname: title }),
  ...(year !== undefined && { [kind === 'movie' ? 'year' : 'showyear']: String(year) }),
});
