import { type EpisodeLabel, episodeLabelsOf } from './episode-labels.ts';
import type { Feature } from './features.ts';
import { type FileChoice, largestChoice, noChoice, withoutClips } from './file-choice.ts';
import { type EpisodeMatch, matchEpisode, type WantedEpisode } from './match-episode.ts';
import { areParts } from './parts.ts';
import { episodeTitleMatcher } from './titles.ts';

interface MatchedVideo {
  readonly place: EpisodeLabel;
  readonly verdict: EpisodeMatch;
}

/** The episode among a job's videos: what its number says, then what its title says, then the only one there is. */
export function chooseEpisode(
  features: readonly Feature[],
  wanted: WantedEpisode,
  jobFolder: string,
): FileChoice {
  const judged = episodeLabelsOf(features, jobFolder, wanted.title).map((place) => ({
    place,
    verdict: matchEpisode(place, wanted),
  }));
  for (const verdict of ['this', 'among', 'absolute', 'hundreds'] as const) {
    const those = judged.filter((each) => each.verdict === verdict).map(({ place }) => place);
    if (those.length > 0 && !(verdict === 'hundreds' && countsFromOne(judged))) return chooseOfCopies(those);
  }
  const carriesTitle = episodeTitleMatcher(wanted, wanted.episode.title);
  const titled = judged.filter(
    (each) => mayBeTitled(each, wanted) && carriesTitle(each.place.feature.names[0] ?? ''),
  );
  if (titled.length > 0) return chooseOfCopies(titled.map(({ place }) => place));
  return chooseUnlabelled(judged);
}

/** Copies of one episode; but several in a folder that tells one may be anything. */
function chooseOfCopies(places: readonly EpisodeLabel[]): FileChoice {
  const features = places.map(({ feature }) => feature);
  if (areParts(features)) return noChoice('in-parts');
  const named = places.filter(({ isFromFolder: byFolder }) => !byFolder).map(({ feature }) => feature);
  if (named.length > 0) return largestChoice(...named);
  const long = withoutClips(features);
  return long.length === 1 ? largestChoice(...long) : noChoice('ambiguous');
}

/** Where "5" and "105" stand beside each other, the one is no "S01E05". */
const countsFromOne = (judged: readonly MatchedVideo[]) =>
  judged.some(({ place }) => place.isSeasonless && place.episodes.some((number) => number < 100));

/** A special's name may tell the season that it belongs to. */
const mayBeTitled = ({ place, verdict }: MatchedVideo, { episode }: WantedEpisode): boolean =>
  verdict === 'unsaid' || (episode.season === 0 && place.episodes.length === 0);

/** One video that does not say what it is, is it when it is alone; in what is told to be a pack it may be any. */
function chooseUnlabelled(judged: readonly MatchedVideo[]): FileChoice {
  if (judged.every(({ verdict }) => verdict === 'other')) return noChoice('other-episodes');
  const long = new Set(withoutClips(judged.map(({ place }) => place.feature)));
  const those = judged.filter(({ place }) => long.has(place.feature));
  if (those.filter(({ verdict }) => verdict === 'unsaid').length > 1) return noChoice('untold-episodes');
  const [only, ...more] = those;
  if (only?.verdict !== 'unsaid' || more.length > 0) return noChoice('ambiguous');
  const { episodes, seasons, folderEpisodes: within, feature } = only.place;
  const isOfPack = episodes.length === 0 && (seasons.length > 0 || within.length > 0);
  return isOfPack || feature.pieces > 1 ? noChoice('ambiguous') : largestChoice(feature);
}
