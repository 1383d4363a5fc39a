/** When a film that has ended is played again, as data. All in seconds unless said otherwise. */
export interface RestartRule {
  /** What may be missing at the end of a film that counts as seen: the longer of the two. The second is a share, 0 to 1. */
  readonly missing: number;
  readonly missingShare: number;
  /** How far before the point where it ended it is taken up, so that the viewer finds the thread. */
  readonly rewind: number;
  /** How often in a row. */
  readonly restarts: number;
  /** How often in a row when the source itself was given up: another read of the same place rarely helps. */
  readonly restartsWhenLost: number;
  /** Played for so long since the last restart, the next one is the first of a new row. */
  readonly progress: number;
}

export const RESTART_RULE: RestartRule = {
  missing: 60,
  missingShare: 0.02,
  rewind: 5,
  restarts: 3,
  restartsWhenLost: 1,
  progress: 60,
};

export interface FilmEnding {
  /** Where the player stood, and the film's length; 0 when nobody knows. Seconds. */
  readonly time: number;
  readonly duration: number;
  /** Restarts in a row so far. */
  readonly restarts: number;
  /** Whether the source was given up. */
  readonly lost: boolean;
}

export type RestartDecision =
  | { readonly kind: 'finished' }
  | { readonly kind: 'restart'; readonly position: number }
  | { readonly kind: 'give-up' };

/**
 * Decides about a film whose player read to an end that nobody asked for. Kodi ends a film that breaks off as it ends
 * one that is over, so only position and duration tell (kodi.md §3.4). Pure.
 */
export function decideRestart(
  rule: RestartRule,
  { time, duration, restarts, lost }: FilmEnding,
): RestartDecision {
  if (duration - time <= Math.max(rule.missing, duration * rule.missingShare)) return { kind: 'finished' };
  if (restarts >= (lost ? rule.restartsWhenLost : rule.restarts)) return { kind: 'give-up' };
  return { kind: 'restart', position: Math.max(0, time - rule.rewind) };
}
