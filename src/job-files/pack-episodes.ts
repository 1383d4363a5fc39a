import { type EpisodeLabel, episodeLabelsOf } from './episode-labels.ts';
import { isExtra } from './extras.ts';
import { featuresOf } from './features.ts';
import { bySize, isVideo, type JobFile } from './files.ts';

/** An episode that a job holds, and the file that is it. */
export interface PackEpisode {
  /** 0 for specials. */
  readonly season: number;
  readonly episode: number;
  readonly file: JobFile;
}

/**
 * The episodes that a job's files surely are, by season and number, each once: a file of its own before one that holds
 * several, the largest of several copies. What counts through the whole show, or by dates, is not told. Fewer than two
 * are no pack.
 * @param jobFolder As for chooseVideo.
 */
export function packEpisodes(files: readonly JobFile[], jobFolder: string): readonly PackEpisode[] {
  const videos = files.filter((file) => isVideo(file) && !isExtra(file));
  const whole = featuresOf(videos, 'episode').filter(({ pieces }) => pieces === 1);
  const found = new Map<string, PackEpisode>();
  for (const { seasons, episodes, isSeasonless: counted, feature } of episodeLabelsOf(whole, jobFolder).sort(
    surestFirst,
  )) {
    const [season] = seasons;
    if (season === undefined || seasons.length > 1) continue;
    // "105" in a folder "Season 1" is its fifth, or its hundred and fifth.
    if (counted && episodes.some((number) => number > 100)) continue;
    for (const episode of episodes) {
      const key = `${season}x${episode}`;
      if (!found.has(key)) found.set(key, { season, episode, file: feature.file });
    }
  }
  return [...found.values()].sort((a, b) => a.season - b.season || a.episode - b.episode);
}

const surestFirst = (a: EpisodeLabel, b: EpisodeLabel) =>
  a.episodes.length - b.episodes.length || bySize(a.feature.file, b.feature.file);
