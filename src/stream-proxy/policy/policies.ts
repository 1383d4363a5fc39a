import { BUFFER_POLICY, type BufferPolicy } from './buffer.ts';
import { CONCURRENCY_POLICY, type ConcurrencyPolicy } from './concurrency.ts';
import type { FailureKind } from './failure.ts';
import { FILL_POLICY, type FillPolicy } from './fills.ts';

/** When a failed read is tried again, and when it is given up: data, and one place that decides. */
export interface RetryPolicy {
  /** Attempts without a byte that may fail in the same way. */
  readonly maxTries: number;
  /** The same where the answer was 404: what it means is found out by looks elsewhere (holes/holes.ts). */
  readonly maxMissingTries: number;
  /** The kinds that pass by themselves, as when a server restarts: only patience ends them, however fast they come. */
  readonly transientKinds: readonly FailureKind[];
  /** Milliseconds before the second, third, ... attempt; the last one holds for all further. */
  readonly pauses: readonly number[];
  /** Milliseconds without a byte before the first one of an answer. */
  readonly firstByteTimeout: number;
  /** Milliseconds without a byte once bytes have flowed. */
  readonly nextByteTimeout: number;
  /**
   * Milliseconds without an answer (isUnanswered) until that is told. From then on a player is kept waiting no longer than
   * that, and not at all where there are nothing but refusals (isRefusal).
   */
  readonly refusedTimeout: number;
  /**
   * Milliseconds until a head counts as late, at the least: a second request is then made beside the first. So many are
   * left of the patience for the second one.
   */
  readonly lateHeadAfter: number;
  /** Milliseconds of silence inside a body until it counts as a failure: a small read ends then. */
  readonly stallTimeout: number;
  /** Milliseconds of silence inside a body that somebody waits for until a second request is made beside it. */
  readonly hedgeAfter: number;
  /** The same where a request costs the server much. */
  readonly hedgeAfterCostly: number;
}

/** For the player's reads. Kodi takes 10 s without data for the end of the film, yet waits 20 s for an answer's head. */
export const READ_POLICY: RetryPolicy = {
  maxTries: 5,
  maxMissingTries: 2,
  pauses: [0, 250, 500, 1000],
  transientKinds: ['unreachable', 'unavailable', 'away', 'stalled', 'broken'],
  firstByteTimeout: 15_000,
  nextByteTimeout: 9_000,
  refusedTimeout: 5_000,
  lateHeadAfter: 2_500,
  stallTimeout: 4_500,
  hedgeAfter: 3_000,
  hedgeAfterCostly: 5_000,
};

/**
 * For opening a source in /prepare; a person waits and shall soon hear of a wrong address, and the caller may rather
 * try another release. A file that nobody has read yet may be slow to open.
 */
export const PREPARE_POLICY: RetryPolicy = {
  maxTries: 3,
  maxMissingTries: 3,
  pauses: [0, 1000],
  transientKinds: [],
  firstByteTimeout: 15_000,
  nextByteTimeout: 15_000,
  refusedTimeout: 15_000,
  lateHeadAfter: 15_000,
  stallTimeout: 15_000,
  // One answer at a time.
  hedgeAfter: Infinity,
  hedgeAfterCostly: Infinity,
};

/** How often a server that refuses is asked for a film that had ended, as data. */
export interface ReopenPolicy {
  /** Milliseconds of nothing but refusals until it is given up. */
  readonly refusedTimeout: number;
  /** Milliseconds after a refusal in which the server is asked once: it had its time. */
  readonly refusalMemory: number;
}

/**
 * At the wake from a sleep Kodi opens the film at once, seconds before there is a network, and waits 20 s for the head of
 * an answer.
 */
export const REOPEN_POLICY: ReopenPolicy = { refusedTimeout: 12_000, refusalMemory: 60_000 };

export interface Policies {
  readonly read: RetryPolicy;
  readonly prepare: RetryPolicy;
  readonly reopen: ReopenPolicy;
  readonly buffer: BufferPolicy;
  readonly concurrency: ConcurrencyPolicy;
  readonly fills: FillPolicy;
}

export const POLICIES: Policies = {
  read: READ_POLICY,
  prepare: PREPARE_POLICY,
  reopen: REOPEN_POLICY,
  buffer: BUFFER_POLICY,
  concurrency: CONCURRENCY_POLICY,
  fills: FILL_POLICY,
};

/** Whether another attempt can turn out differently. */
const IS_RETRYABLE: Readonly<Record<FailureKind, boolean>> = {
  unreachable: true,
  stalled: true,
  broken: true,
  missing: true,
  gone: false,
  withdrawn: false,
  unavailable: true,
  away: true,
  'wrong-answer': true,
  refused: false,
  'no-ranges': false,
  changed: false,
  another: false,
};

export const isRetryable = (kind: FailureKind): boolean => IS_RETRYABLE[kind];

export interface RetryState {
  readonly kind: FailureKind;
  /** Attempts so far that brought no byte, this one included; at least 1. */
  readonly fruitless: number;
  /** Those of them that failed in this way; at least 1. */
  readonly alike: number;
  /** Milliseconds since a byte was wanted and none came. */
  readonly waited: number;
  /** Whether any byte of this answer has flowed. */
  readonly flowing: boolean;
  /** Milliseconds of nothing but refusals, over all attempts at the file; absent where nobody counts. */
  readonly refusedFor?: number;
}

export type RetryDecision =
  | { readonly kind: 'retry'; readonly pause: number; readonly reason: string }
  | { readonly kind: 'give-up'; readonly reason: string };

/** Decides after a failed attempt. Pure. */
export function decideRetry(policy: RetryPolicy, attempts: RetryState): RetryDecision {
  const { kind, fruitless, alike, waited, refusedFor = 0 } = attempts;
  if (!IS_RETRYABLE[kind]) return { kind: 'give-up', reason: `${kind}: another attempt would not help` };
  if (refusedFor >= policy.refusedTimeout)
    return { kind: 'give-up', reason: `${kind}: refused for ${Math.round(refusedFor)} ms` };
  const tries = kind === 'missing' ? policy.maxMissingTries : policy.maxTries;
  if (!policy.transientKinds.includes(kind) && alike >= tries)
    return { kind: 'give-up', reason: `${kind}: ${alike} attempts` };
  const rest = policy.pauses[Math.min(fruitless, policy.pauses.length) - 1] ?? 0;
  // The last attempt is made when the time for refusals ends, and no later: Kodi hears no Stop while it waits.
  const pause = Math.min(rest, policy.refusedTimeout - refusedFor);
  if (waited + pause >= byteTimeoutOf(policy, attempts.flowing))
    return { kind: 'give-up', reason: `${kind}: ${Math.round(waited)} ms without a byte` };
  return { kind: 'retry', pause, reason: kind };
}

/** Milliseconds that may pass without a byte. */
const byteTimeoutOf = (policy: RetryPolicy, flowing: boolean): number =>
  flowing ? policy.nextByteTimeout : policy.firstByteTimeout;

/** Milliseconds until the patience ends, at least 1. Pure. */
const timeLeft = (policy: RetryPolicy, wait: Pick<RetryState, 'waited' | 'flowing'>): number =>
  Math.max(1, byteTimeoutOf(policy, wait.flowing) - wait.waited);

export interface HeadWait extends Pick<RetryState, 'waited' | 'flowing'> {
  /** Milliseconds that the server usually takes to answer; 0 while nobody knows. */
  readonly usual: number;
}

/** How many times as long as usual a head may take until it counts as late. */
const LATE_FACTOR = 3;

export interface HeadTimes {
  /** Milliseconds until a second request is made beside the first. */
  readonly hedgeAfter: number;
  /** Milliseconds until neither is waited for any longer, at least 1. */
  readonly limit: number;
  /** Milliseconds of waiting that tell of trouble at the server. */
  readonly stallAfter: number;
}

/** How long the next request's head is waited for. Pure. */
export function headTimes(policy: RetryPolicy, wait: HeadWait): HeadTimes {
  const limit = timeLeft(policy, wait);
  const late = Math.max(policy.lateHeadAfter, wait.usual * LATE_FACTOR);
  // With less left than the second one needs, there is only the first.
  const beside = limit > policy.lateHeadAfter ? Math.min(late, limit - policy.lateHeadAfter) : limit;
  return { hedgeAfter: beside, limit, stallAfter: Math.max(policy.stallTimeout, wait.usual * LATE_FACTOR) };
}

export interface SilenceState {
  /** Milliseconds without a byte of the body. */
  readonly silent: number;
  /** Milliseconds that the server's bodies are usually silent; 0 while nobody knows. */
  readonly usual: number;
  /** Whether a request costs the server much. */
  readonly isCostly: boolean;
  /** The wait that the body is to end; undefined: nobody waits for it. */
  readonly wait: Pick<RetryState, 'waited' | 'flowing'> | undefined;
}

/** Milliseconds for which a body may go on being silent. Pure. */
export const silenceLeft = (policy: RetryPolicy, wait: SilenceState['wait']): number =>
  wait === undefined ? policy.firstByteTimeout : timeLeft(policy, wait);

/**
 * What is done about a body that is silent: it is listened to, also beside a second one, until the patience is over.
 * Read-ahead that nobody waits for yet makes no second request. Pure.
 */
export function decideOnSilence(policy: RetryPolicy, silence: SilenceState): 'listen' | 'hedge' | 'over' {
  const { silent, usual, isCostly: isDear, wait } = silence;
  if (wait === undefined) return silent >= policy.firstByteTimeout ? 'over' : 'listen';
  const left = timeLeft(policy, wait);
  if (left <= 1) return 'over';
  const late = Math.max(isDear ? policy.hedgeAfterCostly : policy.hedgeAfter, usual * LATE_FACTOR);
  // With so little left, a second one would come too late if it were not asked for now.
  return silent >= late || (silent >= policy.lateHeadAfter && left <= policy.lateHeadAfter)
    ? 'hedge'
    : 'listen';
}
