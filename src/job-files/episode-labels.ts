import { type DeclaredEpisodes, declaredEpisodesOf } from './declared-episodes.ts';
import type { Feature } from './features.ts';
import { groupedBy } from './files.ts';
import { inferNumbers, withoutTitle } from './inferred-numbers.ts';

/** Which episode a video is, as far as its name and its folders tell. The nearest name that tells something counts. */
export interface EpisodeLabel {
  readonly feature: Feature;
  /** Empty: nothing tells; several: its folder holds several. */
  readonly seasons: readonly number[];
  /** Empty: nothing tells. */
  readonly episodes: readonly number[];
  /** The number stands without a season's beside it, so it may be counted through the whole show. */
  readonly isSeasonless: boolean;
  /** It counts before the numbers: a nearer name tells it, or none tells them. */
  readonly date?: string;
  /** Nothing but a folder tells it, which may hold more than this one. */
  readonly isFromFolder: boolean;
  /** Its folder holds these, and nothing tells which of them it is. */
  readonly folderEpisodes: readonly number[];
}

/**
 * @param jobFolder The job's own folder; its name speaks for files that say nothing.
 * @param title The show's, as far as it is known.
 */
export function episodeLabelsOf(all: readonly Feature[], jobFolder: string, title?: string): EpisodeLabel[] {
  const features = withoutJobName(all, jobFolder);
  const known = new Map<string, DeclaredEpisodes>();
  const told: NameReader = (name) => {
    const read = known.get(name) ?? declaredEpisodesOf(name);
    known.set(name, read);
    return read;
  };
  const counted = inferFromSiblings(features, told, title);
  return features.map((feature) => {
    const place = episodeLabelOf(feature, jobFolder, counted, told);
    const isSpecial = place.isSeasonless && SPECIAL.test(withoutTitle(feature.names[0] ?? '', title ?? ''));
    return isSpecial ? { ...place, seasons: [0], episodes: [], folderEpisodes: [] } : place;
  });
}

/**
 * In a job of several videos, one that is called as the job tells nothing by it, nor by a number behind it: AltMount calls
 * so, in any order, whatever it takes for obfuscated (protocols.md §2.10). Where the job is one episode, its name is right.
 */
function withoutJobName(features: readonly Feature[], jobFolder: string): readonly Feature[] {
  if (features.length < 2 || jobFolder === '' || isOneEpisode(declaredEpisodesOf(jobFolder))) return features;
  const job = plainName(jobFolder);
  const isJobs = (name: string) =>
    name === job || (name.startsWith(`${job}_`) && NUMBER.test(name.slice(job.length + 1)));
  return features.map((each) => {
    const [name = '', ...folders] = each.names;
    return isJobs(plainName(name)) ? { ...each, names: ['', ...folders] } : each;
  });
}

const NUMBER = /^\d{1,4}$/;
const plainName = (name: string) => name.normalize('NFC').toLowerCase();
const isOneEpisode = ({ episodes, date }: DeclaredEpisodes) => episodes.length === 1 || date !== undefined;

/** "Show OVA - 01" is not the show's first episode, and nobody knows which of its specials. */
const SPECIAL = /(?<![a-z\d])(?:(?:ova|oad|special|movie)s?|sp[ ._-]?\d{1,2})(?![a-z])/i;

/** The numbers by which names count, by their folders and themselves. */
type InferredNumbers = ReadonlyMap<string, readonly number[]>;

/** Each name is read once: a pack's files share their folders. */
type NameReader = (name: string) => DeclaredEpisodes;

/** Names of files beside each other, and of folders beside each other, are held against one another. */
function inferFromSiblings(features: readonly Feature[], told: NameReader, title?: string): InferredNumbers {
  const counted = new Map<string, readonly number[]>();
  const names = features.flatMap(({ names }) =>
    names.map((name, at) => ({ name, above: names.slice(at + 1).join('/'), isFolder: at > 0 })),
  );
  for (const [above, group] of groupedBy(names, (each) => each.above)) {
    // The number of a folder "Season 1" is no episode's.
    const silent = group.filter(
      ({ name, isFolder }) => !declaresEpisode(told(name)) && !(isFolder && told(name).seasons.length > 0),
    );
    for (const [name, numbers] of inferNumbers([...new Set(silent.map(({ name }) => name))], title))
      counted.set(`${above}/${name}`, numbers);
  }
  return counted;
}

const declaresEpisode = ({ episodes, date }: DeclaredEpisodes) => episodes.length > 0 || date !== undefined;

function episodeLabelOf(
  feature: Feature,
  jobFolder: string,
  counted: InferredNumbers,
  read: NameReader,
): EpisodeLabel {
  const { names } = feature;
  const levels = [...names, jobFolder].map(read);
  const numbers = names.map((name, at) => counted.get(`${names.slice(at + 1).join('/')}/${name}`));
  // A file's name may tell several, which it holds then; a folder's that does, does not tell which is which.
  const coded = levels.findIndex(({ episodes }, at) =>
    at === 0 ? episodes.length > 0 : episodes.length === 1,
  );
  const dated = levels.findIndex(({ date }) => date !== undefined);
  const number = numbers.find((each) => each !== undefined);
  const seasons = levels.find((each) => each.seasons.length > 0)?.seasons ?? [];
  const date = coded === -1 || dated < coded ? levels[dated]?.date : undefined;
  const common = { feature, ...(date !== undefined && { date }) };
  const told = levels[coded];
  if (told !== undefined) {
    const counts = told.seasons.length === 0;
    const byFolder = coded > 0;
    return {
      ...common,
      seasons: counts ? seasons : told.seasons,
      episodes: told.episodes,
      isSeasonless: counts,
      isFromFolder: byFolder,
      folderEpisodes: [],
    };
  }
  const within = levels.find(({ episodes }) => episodes.length > 1)?.episodes ?? [];
  return {
    ...common,
    seasons,
    episodes: number ?? [],
    isSeasonless: true,
    isFromFolder: numbers[0] === undefined,
    folderEpisodes: within,
  };
}
