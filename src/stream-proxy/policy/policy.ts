import { AHEAD_POLICY, type AheadPolicy } from './ahead.ts';
import type { FailureKind } from './failure.ts';
import { FILL_POLICY, type FillPolicy } from './fills.ts';
import { LANE_POLICY, type LanePolicy } from './lanes.ts';

/** When a failed read is tried again, and when it is given up: data, and one place that decides. */
export interface RetryPolicy {
  /** Attempts without a byte that may fail in the same way. */
  readonly tries: number;
  /** The kinds that pass by themselves, as when a server restarts: only patience ends them, however fast they come. */
  readonly passing: readonly FailureKind[];
  /** Milliseconds before the second, third, ... attempt; the last one holds for all further. */
  readonly pauses: readonly number[];
  /** Milliseconds without a byte before the first one of an answer. */
  readonly patienceAtStart: number;
  /** Milliseconds without a byte once bytes have flowed. */
  readonly patience: number;
  /** Milliseconds until the first head that stays away counts as lost, before and after the first byte. */
  readonly headAtStart: number;
  readonly head: number;
  /** Milliseconds of silence inside a body until the connection counts as dead. */
  readonly stall: number;
}

/**
 * For the player's reads. Kodi takes 10 s without data for the end of the film, yet waits 20 s for an answer's head.
 * nzbdav's front end stays silent for 5 to 6 s after a broken body, so silence must count earlier to leave time for
 * a second attempt.
 *
 * That silence is a body's: the connection is given up with it, so no head waits behind it. A head comes with the first
 * byte, after a search through the articles and perhaps a slow one. Before the first byte there is time to let it be
 * slower than even that silence. Afterwards, a lost request must be noticed while there is time for another one, also
 * behind a body's silence: 3.5 s + 2.5 s of 8 s. The second head may then take all that is left, because a server that
 * is slow, rather than deaf, would not keep a second short limit either.
 */
export const READ_POLICY: RetryPolicy = {
  tries: 5,
  pauses: [0, 250, 500, 1000],
  passing: ['unreachable', 'unavailable', 'stalled', 'broken'],
  patienceAtStart: 15_000,
  patience: 8_000,
  headAtStart: 6_500,
  head: 2_500,
  stall: 3_500,
};

/**
 * For opening a source in /prepare; a person waits and shall soon hear of a wrong address, and the caller may rather
 * try another release. A file that nobody has read yet may be slow to open.
 */
export const PREPARE_POLICY: RetryPolicy = {
  tries: 3,
  pauses: [0, 1000],
  passing: [],
  patienceAtStart: 15_000,
  patience: 15_000,
  headAtStart: 15_000,
  head: 15_000,
  stall: 10_000,
};

export interface Policies {
  readonly read: RetryPolicy;
  readonly prepare: RetryPolicy;
  readonly ahead: AheadPolicy;
  readonly lanes: LanePolicy;
  readonly fills: FillPolicy;
}

export const POLICIES: Policies = {
  read: READ_POLICY,
  prepare: PREPARE_POLICY,
  ahead: AHEAD_POLICY,
  lanes: LANE_POLICY,
  fills: FILL_POLICY,
};

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
  /** Those of them that failed in this way; at least 1. */
  readonly alike: number;
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
  const { kind, fruitless, alike, waited } = attempts;
  if (!WORTH_RETRYING[kind]) return { kind: 'give-up', reason: `${kind}: another attempt would not help` };
  if (!policy.passing.includes(kind) && alike >= policy.tries)
    return { kind: 'give-up', reason: `${kind}: ${alike} attempts` };
  const pause = policy.pauses[Math.min(fruitless, policy.pauses.length) - 1] ?? 0;
  if (waited + pause >= patienceOf(policy, attempts.flowing))
    return { kind: 'give-up', reason: `${kind}: ${Math.round(waited)} ms without a byte` };
  return { kind: 'retry', pause, reason: kind };
}

/** Milliseconds that may pass without a byte. */
const patienceOf = (policy: RetryPolicy, flowing: boolean): number =>
  flowing ? policy.patience : policy.patienceAtStart;

/** Milliseconds until the patience ends, at least 1. Pure. */
const patienceLeft = (policy: RetryPolicy, wait: Pick<Attempts, 'waited' | 'flowing'>): number =>
  Math.max(1, patienceOf(policy, wait.flowing) - wait.waited);

export interface HeadWait extends Pick<Attempts, 'waited' | 'flowing'> {
  /** Whether a head has already stayed away in this wait. */
  readonly silentBefore: boolean;
}

/** Milliseconds to wait for the next attempt's head, at least 1. Pure. */
export function headTimeout(policy: RetryPolicy, wait: HeadWait): number {
  const left = patienceLeft(policy, wait);
  if (wait.silentBefore) return left;
  return Math.min(left, wait.flowing ? policy.head : policy.headAtStart);
}
