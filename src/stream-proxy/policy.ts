import type { FailureKind } from './failure.ts';

/** When a failed read is tried again, and when it is given up: data, and one place that decides. */
export interface RetryPolicy {
  /** Attempts in a row that brought no byte. */
  readonly tries: number;
  /** Milliseconds before the second, third, ... attempt; the last one holds for all further. */
  readonly pauses: readonly number[];
  /** Milliseconds without a byte before the first one of an answer. */
  readonly patienceAtStart: number;
  /** Milliseconds without a byte once bytes have flowed. */
  readonly patience: number;
  /** Milliseconds of silence inside a body until the connection counts as dead. */
  readonly stall: number;
}

/**
 * For the player's reads. Kodi takes 10 s without data for the end of the film, yet waits 20 s for an answer's head.
 * nzbdav's front end stays silent for 5 to 6 s after a broken body, so silence must count earlier to leave time for
 * a second attempt.
 */
export const READ_POLICY: RetryPolicy = {
  tries: 5,
  pauses: [0, 250, 500, 1000],
  patienceAtStart: 15_000,
  patience: 8_000,
  stall: 3_500,
};

/** For opening a source in /prepare; the caller waits, and may rather try another release. */
export const PREPARE_POLICY: RetryPolicy = {
  tries: 3,
  pauses: [0, 1000],
  patienceAtStart: 15_000,
  patience: 15_000,
  stall: 10_000,
};

export interface Policies {
  readonly read: RetryPolicy;
  readonly prepare: RetryPolicy;
}

export const POLICIES: Policies = { read: READ_POLICY, prepare: PREPARE_POLICY };

/** Whether another attempt can turn out differently. */
const WORTH_RETRYING: Readonly<Record<FailureKind, boolean>> = {
  unreachable: true,
  stalled: true,
  broken: true,
  missing: true,
  unavailable: true,
  'wrong-answer': true,
  refused: false,
  'no-ranges': false,
  changed: false,
};

export interface Attempts {
  readonly kind: FailureKind;
  /** Attempts so far that brought no byte, this one included; at least 1. */
  readonly fruitless: number;
  /** Milliseconds since a byte was wanted and none came. */
  readonly waited: number;
  /** Whether any byte of this answer has flowed. */
  readonly flowing: boolean;
}

export type Verdict =
  | { readonly kind: 'retry'; readonly pause: number; readonly reason: string }
  | { readonly kind: 'give-up'; readonly reason: string };

/** Decides after a failed attempt. Pure. */
export function decide(policy: RetryPolicy, attempts: Attempts): Verdict {
  const { kind, fruitless, waited } = attempts;
  if (!WORTH_RETRYING[kind]) return { kind: 'give-up', reason: `${kind}: another attempt would not help` };
  if (fruitless >= policy.tries) return { kind: 'give-up', reason: `${kind}: ${fruitless} attempts` };
  const pause = policy.pauses[Math.min(fruitless, policy.pauses.length) - 1] ?? 0;
  if (waited + pause >= patienceOf(policy, attempts.flowing))
    return { kind: 'give-up', reason: `${kind}: ${Math.round(waited)} ms without a byte` };
  return { kind: 'retry', pause, reason: kind };
}

/** Milliseconds that may pass without a byte. */
export const patienceOf = (policy: RetryPolicy, flowing: boolean): number =>
  flowing ? policy.patience : policy.patienceAtStart;
