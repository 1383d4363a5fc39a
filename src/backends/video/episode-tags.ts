import type { EpisodeNumber } from '../../model/index.ts';

/**
 * What a file or folder name says about one wanted episode:
 * `this` it is exactly this one; `among` it is a range that holds it; `other` it is certainly another one;
 * `unsaid` the name does not tell.
 */
export type EpisodeVerdict = 'this' | 'among' | 'other' | 'unsaid';

interface Tag {
  readonly season: number;
  readonly episodes: ReadonlySet<number>;
}

/** A longer range is no list of episodes (a year, a checksum). */
const MAX_RANGE = 64;
/** Longer names are not written by people; the patterns below are linear, this keeps them quick. */
const MAX_NAME = 512;

/** "S01E02", "S01E02E03", "S01E02-E04", "S01E02-04", "s1.e2", "S01 EP02". */
const SEASON_EPISODE =
  /(?<![a-z0-9])s(\d{1,4})[ ._-]{0,2}ep?[ ._]?(\d{1,4})((?:[ ._]?-?[ ._]?ep?\d{1,4}|-\d{1,3}(?!\d))*)(?![0-9])/gi;
/** "1x02", "1x02-03", "1x02-1x03"; no "x264" after "5.1", no picture size. */
const CROSS = /(?<![a-z0-9])(\d{1,2})x(?!26[45])(\d{2,3})((?:-(?:\d{1,2}x)?\d{2,3})*)(?![a-z0-9])/gi;
/** "Season 1 Episode 2". */
const WORDS = /(?<![a-z])season[ ._-]{0,3}(\d{1,4})[ ._,-]{0,5}episode[ ._-]{0,3}(\d{1,4})(?!\d)/gi;
/** "2019.03.04", the way daily shows count. */
const DATE = /(?<!\d)(\d{4})[ ._-](\d{2})[ ._-](\d{2})(?!\d)/g;
/** "E02", "Ep 2", "Episode 2" without a season. */
const EPISODE_ONLY = /(?<![a-z0-9])(?:e|ep|episode)[ ._-]?(\d{1,3})(?![a-z0-9])/i;

export function judgeName(name: string, wanted: EpisodeNumber): EpisodeVerdict {
  const text = name.slice(0, MAX_NAME);
  const tags = [...tagsOf(text, SEASON_EPISODE), ...tagsOf(text, CROSS), ...tagsOf(text, WORDS)];
  if (tags.length > 0) return judgeTags(tags, wanted);
  const dates = [...text.matchAll(DATE)].map(([, year, month, day]) => `${year}-${month}-${day}`);
  if (dates.length > 0 && wanted.aired !== undefined) return dates.includes(wanted.aired) ? 'this' : 'other';
  // Without its season a number may count through the whole show: it can speak for a file, not against it.
  const bare = EPISODE_ONLY.exec(text)?.[1];
  return bare !== undefined && Number(bare) === wanted.episode ? 'this' : 'unsaid';
}

function judgeTags(tags: readonly Tag[], { season, episode }: EpisodeNumber): EpisodeVerdict {
  const fits = tags.some((tag) => tag.season === season && tag.episodes.has(episode));
  if (!fits) return 'other';
  const all = new Set(tags.flatMap((tag) => [...tag.episodes].map((number) => `${tag.season}x${number}`)));
  return all.size === 1 ? 'this' : 'among';
}

function tagsOf(text: string, pattern: RegExp): Tag[] {
  return [...text.matchAll(pattern)].map(([, season, first, more]) => ({
    season: Number(season),
    episodes: episodesOf(Number(first), more ?? ''),
  }));
}

/** The first episode and what follows it: "E03" adds one, "-E05" and "-05" fill up to it. */
function episodesOf(first: number, more: string): Set<number> {
  const episodes = new Set([first]);
  let last = first;
  for (const [, dash, number] of more.matchAll(/(-?)[ ._]?(?:\d{1,2}x|ep?)?(\d{1,4})/gi)) {
    const next = Number(number);
    const isRange = dash === '-' && next > last && next - last < MAX_RANGE;
    for (let n = isRange ? last + 1 : next; n <= next; n++) episodes.add(n);
    last = next;
  }
  return episodes;
}
