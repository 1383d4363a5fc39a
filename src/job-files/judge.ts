import type { EpisodeNumber, MediaRequest } from '../model/index.ts';
import type { Place } from './places.ts';

/**
 * What a video's names say about the wanted episode, the surest first:
 * `this` it is exactly this one; `among` it holds several, this one among them; `absolute` it is counted through the
 * whole show to this one; `hundreds` "105" for the fifth of the first season; `unsaid` they do not tell; `other` it is
 * certainly another one.
 */
export type Verdict = 'this' | 'among' | 'absolute' | 'hundreds' | 'unsaid' | 'other';

/** A request for an episode. */
export type Wanted = MediaRequest & { readonly episode: EpisodeNumber };

export function judge(place: Place, wanted: Wanted): Verdict {
  const { seasons, episodes, date, within } = place;
  const { aired, season, episode } = wanted.episode;
  if (date !== undefined && aired !== undefined) return date === aired ? 'this' : 'other';
  if (episodes.length > 0)
    return seasons.length > 0 ? judgeNumbered(place, wanted) : judgeCounted(place, wanted);
  if (seasons.length > 0 && !seasons.includes(season)) return 'other';
  return within.length > 0 && !within.includes(episode) ? 'other' : 'unsaid';
}

function judgeNumbered({ seasons, episodes, counted }: Place, wanted: Wanted): Verdict {
  const { season, episode } = wanted.episode;
  if (!seasons.includes(season)) return 'other';
  const absolute = holds(episodes, wanted.absoluteEpisode);
  if (episodes.includes(episode)) {
    if (seasons.length === 1) return one(episodes);
    // "Seasons 1-2/05" may be it; of "S01E10-S02E01" nobody knows which number belongs to which season.
    if (!counted) return 'other';
    return absolute ? 'absolute' : 'unsaid';
  }
  if (!counted) return 'other';
  if (absolute) return 'absolute';
  return isHundreds(episodes, wanted) ? 'hundreds' : 'other';
}

/** Nothing tells a season: the number goes through the whole show, or belongs to its first season. */
function judgeCounted({ episodes }: Place, wanted: Wanted): Verdict {
  const { season, episode } = wanted.episode;
  if (holds(episodes, wanted.absoluteEpisode)) return season === 1 ? one(episodes) : 'absolute';
  if (season === 1 && episodes.includes(episode)) return one(episodes);
  if (isHundreds(episodes, wanted)) return 'hundreds';
  // Without the absolute number nobody knows which one it is of a later season; a special is not counted.
  return season === 1 || wanted.absoluteEpisode !== undefined ? 'other' : 'unsaid';
}

const one = (episodes: readonly number[]) => (episodes.length === 1 ? 'this' : 'among');

const holds = (episodes: readonly number[], number: number | undefined) =>
  number !== undefined && episodes.includes(number);

const isHundreds = ([number = 0]: readonly number[], { anime, episode: { season, episode } }: Wanted) =>
  anime !== true && season > 0 && episode > 0 && episode < 100 && number === season * 100 + episode;
