import type { Release } from '../model/index.ts';

/** What is known of what the person wants to watch, for the rules that need it. A MediaRequest is one. */
export interface RequestFacts {
  /** Minutes that the film, or the episode, runs. */
  readonly runtime?: number;
  /** ISO 639-1. */
  readonly originalLanguage?: string;
  readonly year?: number;
}

/** Minutes that all of a release runs; undefined when nobody knows, as of a season without its number of episodes. */
export function runningTime({ quality }: Release, { runtime }: RequestFacts): number | undefined {
  if (runtime === undefined || !(runtime > 0)) return undefined;
  if (quality.episodes.length > 0) return runtime * quality.episodes.length;
  return hasUnknownEpisodeCount({ quality }) ? undefined : runtime;
}

/** Whole seasons, of which nobody says how many episodes they have. */
export const hasUnknownEpisodeCount = ({
  quality: { complete, seasons, episodes, date },
}: Pick<Release, 'quality'>): boolean =>
  episodes.length === 0 && (complete || (seasons.length > 0 && date === undefined));

/**
 * Bits per second, of the post as the indexer advertises it: with what is needed to repair it, so rather too much than
 * too little.
 */
export function bitrateOf(release: Release, facts: RequestFacts): number | undefined {
  const minutes = runningTime(release, facts);
  if (release.size === undefined || minutes === undefined) return undefined;
  return (release.size * 8) / (minutes * 60);
}
