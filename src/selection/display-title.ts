import type { MediaRequest } from '../model/index.ts';
import { episodeText } from '../release/index.ts';

/** "Sintel (2010)", "Caminandes S01E02 Gran Dillama". */
export function displayTitle({ title, year, episode }: MediaRequest): string {
  if (episode === undefined) return year === undefined ? title : `${title} (${year})`;
  return [title, episodeText(episode), episode.title].filter(Boolean).join(' ');
}
