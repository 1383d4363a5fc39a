import type { EpisodeNumber, MediaRequest } from '../model/index.ts';
import type { EpisodeLabel } from './episode-labels.ts';

/**
 * What a video's names say about the wanted episode, the surest first:
 * `this` it is exactly this one; `among` it holds several, this one among them; `absolute` it is counted through the
 * whole show to this one; `hundreds` "105" for the fifth of the first season; `unsaid` they do not tell; `other` it is
 * certainly another one.
 */
export type EpisodeMatch = 'this' | 'among' | 'absolute' | 'hundreds' | 'unsaid' | 'other';

/** A request for an episode. */
export type WantedEpisode = MediaRequest & { readonly episode: EpisodeNumber };

export function matchEpisode(place: EpisodeLabel, wanted: WantedEpisode): EpisodeMatch {
  const { seasons, episodes, date, folderEpisodes: within } = place;
  const { aired, season, episode } = wanted.episode;
  if (date !== undefined && aired !== undefined) return date === aired ? 'this' : 'other';
  if (episodes.length > 0)
    return seasons.length > 0 ? matchNumbered(place, wanted) : matchSeasonless(place, wanted);
  if (seasons.length > 0 && !seasons.includes(season)) return 'other';
  return within.length > 0 && !within.includes(episode) ? 'other' : 'unsaid';
}

function matchNumbered(
  { seasons, episodes, isSeasonless: counted }: EpisodeLabel,
  wanted: WantedEpisode,
): EpisodeMatch {
  const { season, episode } = wanted.episode;
  if (!seasons.includes(season)) return 'other';
  const absolute = includesNumber(episodes, wanted.absoluteEpisode);
  if (episodes.includes(episode)) {
    if (seasons.length === 1) return isOnly(episodes);
    // "Seasons 1-2/05" may be it; of "S01E10-S02E01" nobody knows which number belongs to which season.
    if (!counted) return 'other';
    return absolute ? 'absolute' : 'unsaid';
  }
  if (!counted) return 'other';
  if (absolute) return 'absolute';
  return isSeasonHundreds(episodes, wanted) ? 'hundreds' : 'other';
}

/** Nothing tells a season: the number goes through the whole show, or belongs to its first season. */
function matchSeasonless({ episodes }: EpisodeLabel, wanted: WantedEpisode): EpisodeMatch {
  const { season, episode } = wanted.episode;
  if (includesNumber(episodes, wanted.absoluteEpisode)) return season === 1 ? isOnly(episodes) : 'absolute';
  if (season === 1 && episodes.includes(episode)) return isOnly(episodes);
  if (isSeasonHundreds(episodes, wanted)) return 'hundreds';
  // Without the absolute number nobody knows which one it is of a later season; a special is not counted.
  return season === 1 || wanted.absoluteEpisode !== undefined ? 'other' : 'unsaid';
}

const isOnly = (episodes: readonly number[]) => (episodes.length === 1 ? 'this' : 'among');

const includesNumber = (episodes: readonly number[], number: number | undefined) =>
  number !== undefined && episodes.includes(number);

const isSeasonHundreds = (
  [number = 0]: readonly number[],
  { anime, episode: { season, episode } }: WantedEpisode,
) => anime !== true && season > 0 && episode > 0 && episode < 100 && number === season * 100 + episode;
