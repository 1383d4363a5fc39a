import * as v from 'valibot';
import { haveSameIds } from '../../model/index.ts';
import { type CallParameters, callParametersOf, idsInCall } from './call-parameters.ts';

/** Of what was handed to Kodi (list-item.ts), as far as it tells of an episode and its show. */
const Episode = v.object({
  info: v.object({
    mediatype: v.literal('episode'),
    tvshowtitle: v.string(),
    season: v.number(),
    episode: v.number(),
    year: v.optional(v.number()),
  }),
  ids: v.optional(v.record(v.string(), v.string()), {}),
});
type Episode = v.InferOutput<typeof Episode>;

/** Whether a plugin:// call is for a later episode of the show that this item is of. In doubt it is not. */
export function isLaterEpisode(call: string, item: unknown): boolean {
  const parsed = v.safeParse(Episode, item);
  if (!parsed.success) return false;
  const told = callParametersOf(call);
  return told('type') !== 'movie' && isLater(told, parsed.output) && isSameShow(told, parsed.output);
}

function isLater(told: CallParameters, { info }: Episode): boolean {
  const [season, episode] = [Number(told('season')), Number(told('episode'))];
  return season === info.season ? episode > info.episode : season > info.season && episode >= 0;
}

/** Ids that both tell decide, and must all agree; without any, title and year do. */
function isSameShow(told: CallParameters, { info, ids }: Episode): boolean {
  const itsIds = { tmdb: ids['tvshow.tmdb'], imdb: ids['tvshow.imdb'], tvdb: ids['tvshow.tvdb'] };
  const title = told('showname') ?? told('originaltitle');
  const year = told('showyear')?.slice(0, 4);
  const isTitled =
    title !== undefined && plain(title) === plain(info.tvshowtitle) && year === info.year?.toString();
  return haveSameIds(idsInCall(told), itsIds) ?? isTitled;
}

const plain = (title: string) => title.replace(/\s+/g, ' ').trim().toLowerCase();
