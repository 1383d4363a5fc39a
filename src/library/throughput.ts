import * as v from 'valibot';
import { openDocument } from '../io/store.ts';

/** What the connection has sustained while films were played. */
export interface SustainedThroughput {
  /** The rate that nine of ten plays reached: a promise to the next one, no average. */
  readonly bitsPerSecond: number;
  /** Of the latest play, in milliseconds since the epoch. */
  readonly measured: number;
  /** How many plays it is drawn from. */
  readonly plays: number;
}

export interface ThroughputStore {
  /** Undefined while too few plays have been measured lately. */
  read(): Promise<SustainedThroughput | undefined>;
  /** Remembers what one play sustained; what is no rate is not remembered. @throws STORE_FAILED */
  add(bitsPerSecond: number): Promise<void>;
}

const MAX_PLAYS = 20;
/** One slow evening is no connection. */
const MIN_PLAYS = 3;
/** Milliseconds (90 days): people move, and change their contracts. */
const MAX_AGE_MS = 90 * 86_400_000;
const SLOWEST_SHARE = 0.1;

const Play = v.object({
  bitsPerSecond: v.pipe(v.number(), v.finite(), v.minValue(1)),
  at: v.pipe(v.number(), v.finite()),
});
const Plays = v.pipe(v.array(Play), v.maxLength(MAX_PLAYS));

/** The remembered rate, in the document `sustained` of the data folder; one process writes it. */
export function openThroughputStore(folder: string, now: () => number = Date.now): ThroughputStore {
  const document = openDocument(folder, 'sustained', { version: 1, parse: (value) => v.parse(Plays, value) });
  const recent = async () => ((await document.read()) ?? []).filter(({ at }) => now() - at <= MAX_AGE_MS);
  return {
    read: async () => {
      const plays = await recent();
      if (plays.length < MIN_PLAYS) return undefined;
      const rates = plays.map(({ bitsPerSecond }) => bitsPerSecond).sort((a, b) => a - b);
      const bitsPerSecond = rates[Math.floor(SLOWEST_SHARE * (rates.length - 1))] ?? 0;
      return { bitsPerSecond, measured: Math.max(...plays.map(({ at }) => at)), plays: plays.length };
    },
    add: async (bitsPerSecond) => {
      if (!v.is(Play.entries.bitsPerSecond, bitsPerSecond)) return;
      await document.write([...(await recent()), { bitsPerSecond, at: now() }].slice(-MAX_PLAYS));
    },
  };
}
