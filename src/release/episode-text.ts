import type { EpisodeNumber } from '../model/index.ts';

/** Databases number daily shows by their years. */
export const FIRST_YEAR_SEASON = 1900;

/** How an episode is called, everywhere: "S02E01"; of a daily show by its date, "2024-03-05". */
export function episodeText({ season, episode, aired }: EpisodeNumber): string {
  if (season >= FIRST_YEAR_SEASON && aired !== undefined) return aired;
  const two = (number: number) => String(number).padStart(2, '0');
  return `S${two(season)}E${two(episode)}`;
}
