import * as v from 'valibot';
import { openDocument } from '../io/store.ts';

/** What the connection has sustained while films were played. */
export interface Sustained {
  /** The rate that nine of ten plays reached: a promise to the next one, no average. */
  readonly bitsPerSecond: number;
  /** Of the latest play, in milliseconds since the epoch. */
  readonly measured: number;
  /** How many plays it is drawn from. */
  readonly plays: number;
}

export interface SustainedRate {
  /** Undefined while too few plays have been measured lately. */
  read(): Promise<Sustained | undefined>;
  /** Remembers what one play sustained; what is no rate is not remembered. @throws STORE_FAILED */
  add(bitsPerSecond: number): Promise<void>;
}

const MOST_PLAYS = 20;
/** One slow evening is no connection. */
const FEWEST_PLAYS = 3;
/** Milliseconds (90 days): people move, and change their contracts. */
const OLDEST = 90 * 86_400_000;
const SHARE = 0.1;

const Play = v.object({
  bitsPerSecond: v.pipe(v.number(), v.finite(), v.minValue(1)),
  at: v.pipe(v.number(), v.finite()),
});
const Plays = v.pipe(v.array(Play), v.maxLength(MOST_PLAYS));

/** The remembered rate, in the document `sustained` of the data folder; one process writes it. */
export function openSustainedRate(folder: string, now: () => number = Date.now): SustainedRate {
  const document = openDocument(folder, 'sustained', { version: 1, parse: (value) => v.parse(Plays, value) });
  const recent = async () => ((await document.read()) ?? []).filter(({ at }) => now() - at <= OLDEST);
  return {
    read: async () => {
      const plays = await recent();
      if (plays.length < FEWEST_PLAYS) return undefined;
      const rates = plays.map(({ bitsPerSecond }) => bitsPerSecond).sort((a, b) => a - b);
      const bitsPerSecond = rates[Math.floor(SHARE * (rates.length - 1))] ?? 0;
      return { bitsPerSecond, measured: Math.max(...plays.map(({ at }) => at)), plays: plays.length };
    },
    add: async (bitsPerSecond) => {
      if (!v.is(Play.entries.bitsPerSecond, bitsPerSecond)) return;
      await document.write([...(await recent()), { bitsPerSecond, at: now() }].slice(-MOST_PLAYS));
    },
  };
}
