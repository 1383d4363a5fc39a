/** How a lost film's place is taken, as data. */
export interface ReplacementRule {
  /** So many releases are tried; 0: none. */
  readonly attempts: number;
  /** Milliseconds. */
  readonly limit: number;
}

/** Nobody waits longer in front of a dark screen, and a film that starts by itself later startles. */
export const REPLACEMENT_RULE: ReplacementRule = { attempts: 3, limit: 3 * 60_000 };
