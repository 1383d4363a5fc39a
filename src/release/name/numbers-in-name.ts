import { broadcastDateOf } from './dates.ts';
import { numberingOf } from './episodes.ts';
import { tokenise } from './tokens.ts';

/** What a name tells in words about the episodes in it. */
interface NumbersInName {
  /** Empty: it does not say. */
  readonly seasons: readonly number[];
  /** Empty: it does not say. */
  readonly episodes: readonly number[];
  /** Of the broadcast, YYYY-MM-DD. */
  readonly date?: string;
}

/** Reads "S01E02", "1x02", "Season 1 Episode 2", "E02", "2019.03.04" and their kin. A title is expected in front. Pure. */
export function numbersInName(name: string): NumbersInName {
  const tokens = tokenise(name);
  const numbering = numberingOf(tokens);
  const dated = broadcastDateOf(tokens, numbering !== undefined);
  return {
    seasons: numbering?.seasons ?? [],
    episodes: numbering?.episodes ?? [],
    ...(dated !== undefined && { date: dated.date }),
  };
}
