import { type Choice, chosen, dominant, none } from './choice.ts';
import type { Feature } from './features.ts';
import { judge, type Verdict, type Wanted } from './judge.ts';
import { areParts } from './parts.ts';
import { type Place, placesOf } from './places.ts';
import { titleFinder } from './titles.ts';

interface Judged {
  readonly place: Place;
  readonly verdict: Verdict;
}

/** The episode among a job's videos: what its number says, then what its title says, then the only one there is. */
export function chooseEpisode(features: readonly Feature[], wanted: Wanted, jobFolder: string): Choice {
  const judged = placesOf(features, jobFolder, wanted.title).map((place) => ({
    place,
    verdict: judge(place, wanted),
  }));
  for (const verdict of ['this', 'among', 'absolute', 'hundreds'] as const) {
    const those = judged.filter((each) => each.verdict === verdict).map(({ place }) => place);
    if (those.length > 0 && !(verdict === 'hundreds' && countsFromOne(judged))) return ofEqual(those);
  }
  const carriesTitle = titleFinder(wanted, wanted.episode.title);
  const titled = judged.filter(
    (each) => mayBeTitled(each, wanted) && carriesTitle(each.place.feature.names[0] ?? ''),
  );
  if (titled.length > 0) return ofEqual(titled.map(({ place }) => place));
  return ofSilent(judged);
}

/** Copies of one episode; but several in a folder that tells one may be anything. */
function ofEqual(places: readonly Place[]): Choice {
  const features = places.map(({ feature }) => feature);
  if (areParts(features)) return none('in-parts');
  const named = places.filter(({ byFolder }) => !byFolder).map(({ feature }) => feature);
  if (named.length > 0) return chosen(...named);
  const long = dominant(features);
  return long.length === 1 ? chosen(...long) : none('ambiguous');
}

/** Where "5" and "105" stand beside each other, the one is no "S01E05". */
const countsFromOne = (judged: readonly Judged[]) =>
  judged.some(({ place }) => place.counted && place.episodes.some((number) => number < 100));

/** A special's name may tell the season that it belongs to. */
const mayBeTitled = ({ place, verdict }: Judged, { episode }: Wanted): boolean =>
  verdict === 'unsaid' || (episode.season === 0 && place.episodes.length === 0);

/** One video that does not say what it is, is it when it is alone; in what is told to be a pack it may be any. */
function ofSilent(judged: readonly Judged[]): Choice {
  if (judged.every(({ verdict }) => verdict === 'other')) return none('other-episodes');
  const long = new Set(dominant(judged.map(({ place }) => place.feature)));
  const those = judged.filter(({ place }) => long.has(place.feature));
  if (those.filter(({ verdict }) => verdict === 'unsaid').length > 1) return none('untold-episodes');
  const [only, ...more] = those;
  if (only?.verdict !== 'unsaid' || more.length > 0) return none('ambiguous');
  const { episodes, seasons, within, feature } = only.place;
  const isOfPack = episodes.length === 0 && (seasons.length > 0 || within.length > 0);
  return isOfPack || feature.pieces > 1 ? none('ambiguous') : chosen(feature);
}
