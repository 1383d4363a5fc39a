/** How long the things of Prowlarr take, in milliseconds (protocols.md §7.2). A test shortens them. */
export interface ProwlarrTimes {
  /** After so long an indexer that does not answer is given up. */
  readonly timeout: number;
  /** Between two queries to one host, whichever searches they belong to. */
  readonly betweenQueries: number;
  /** Before each further try of a query that was answered 5xx. */
  readonly betweenTries: number;
  /** After the first failure of an indexer, the second in a row, and so on; the last one stays. */
  readonly cooldowns: readonly number[];
  /** At least, after a refusal for a limit that does not say for how long. */
  readonly restAtLimit: number;
  /** From a failure until its health page names the indexer. */
  readonly untilHealth: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Those of Prowlarr 2.3.6. Three tries of a query that was answered 5xx took it 4.7 to 6.6 s; its health page named a
 * failure after 6 s, and not after 1 s.
 */
export const PROWLARR_TIMES: ProwlarrTimes = {
  timeout: 100_000,
  betweenQueries: 2_000,
  betweenTries: 2_800,
  cooldowns: [
    ...[MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
    ...[HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR],
  ],
  restAtLimit: HOUR,
  untilHealth: 5_000,
};
