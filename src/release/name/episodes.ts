import { readSeasons, readSxE, readX } from './codes.ts';
import { readEastAsian, readEpisodeOnly, readOf, readSpanish, readWords, SPELT } from './number-words.ts';
import { EPISODE_WORDS, type Numbering, type NumberingReader, SEASON_WORDS } from './numbering.ts';
import type { Token } from './tokens.ts';

/** The first place that says it in so many words: "S01E02", "1x02", "Season 1 Episode 2", "E05". */
export function numberingOf(tokens: readonly Token[]): Numbering | undefined {
  const places = tokens.flatMap((token, at) => (mayCount(token) ? [at] : []));
  if (places.length === 0) return undefined;
  for (const read of READERS) {
    const found = firstOf(read, tokens, places);
    if (found === undefined) continue;
    // "Temporada 1 [HDTV][Cap.105]": the episode stands apart from the season.
    const apart = found.episodes.length === 0 ? firstOf(readSpanish, tokens, places) : undefined;
    return apart === undefined ? found : { ...found, episodes: apart.episodes };
  }
  return undefined;
}

function firstOf(
  read: NumberingReader,
  tokens: readonly Token[],
  places: readonly number[],
): Numbering | undefined {
  for (const at of places) {
    const found = read(tokens, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** No numbering begins with any other word. */
const mayCount = ({ key, digit }: Token) =>
  digit || SEASON_WORDS.has(key) || EPISODE_WORDS.has(key) || SPELT.includes(key);

/** The surest first: a name with "S01E02" counts nothing else. */
const READERS: readonly NumberingReader[] = [
  readSxE,
  readX,
  readWords,
  readOf,
  readSeasons,
  readSpanish,
  readEpisodeOnly,
  readEastAsian,
];
