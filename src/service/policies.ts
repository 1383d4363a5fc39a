import type { Settings } from '../settings/index.ts';
import { POLICIES, type Policies } from '../stream-proxy.ts';
import type { ReplacementRule } from './replacement-rule.ts';
import { RESTART_RULE, type RestartRule } from './restart-rule.ts';

const MIB = 1_048_576;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** So many films read ahead as far as they may before they share: one plays, another is being opened. */
const FULL_READ_AHEAD_FILMS = 2;
/** Of the machine's memory, for all films together: a small box has to run the media centre as well. */
const MEMORY_SHARE = 0.125;
/** Of the patience with a silent server: the rest is for another attempt (READ_POLICY). */
const STALL_SHARE = POLICIES.read.stallTimeout / POLICIES.read.nextByteTimeout;
const HEAD_SHARE = POLICIES.read.lateHeadAfter / POLICIES.read.nextByteTimeout;
const BESIDE_SHARE = POLICIES.read.hedgeAfter / POLICIES.read.nextByteTimeout;
/**
 * Milliseconds that Kodi can be kept waiting: it takes 10 s without data for the film's end, and 20 s without a head for
 * a failure.
 */
const MAX_SILENCE_MS = 9_000;
const MAX_START_MS = 19_500;

/**
 * How the proxy reads, as the person wants it; with the settings' defaults, POLICIES. Pure.
 * @param memory Bytes that the machine has
 */
export function policiesOf(settings: Settings, memory: number): Policies {
  const { concurrency: lanes, fills, reopen } = POLICIES;
  return {
    ...readPolicies(settings),
    reopen,
    buffer: readAheadPolicy(settings, memory),
    concurrency: { ...lanes, maxTransfers: settings.most_connections },
    fills: settings.bridge_gaps
      ? { ...fills, maxTotal: settings.bridge_most_mb * MIB }
      : { ...fills, maxHoles: 0 },
  };
}

function readPolicies({ stall_patience, open_patience }: Settings): Pick<Policies, 'read' | 'prepare'> {
  const { read, prepare } = POLICIES;
  const silent = stall_patience * SECOND;
  const opening = open_patience * SECOND;
  return {
    read: {
      ...read,
      nextByteTimeout: Math.min(silent, MAX_SILENCE_MS),
      firstByteTimeout: Math.min(Math.max(silent, read.firstByteTimeout), MAX_START_MS),
      stallTimeout: Math.min(read.stallTimeout, Math.round(silent * STALL_SHARE)),
      lateHeadAfter: Math.min(read.lateHeadAfter, Math.round(silent * HEAD_SHARE)),
      hedgeAfter: Math.min(read.hedgeAfter, Math.round(silent * BESIDE_SHARE)),
    },
    prepare: {
      ...prepare,
      firstByteTimeout: opening,
      nextByteTimeout: opening,
      lateHeadAfter: opening,
      stallTimeout: opening,
    },
  };
}

function readAheadPolicy({ read_ahead_mb }: Settings, memory: number): Policies['buffer'] {
  const most = Math.min(read_ahead_mb * MIB * FULL_READ_AHEAD_FILMS, Math.floor(memory * MEMORY_SHARE));
  return { ...POLICIES.buffer, totalMemory: most, sessionMemory: most / FULL_READ_AHEAD_FILMS };
}

/** When a film that broke off is played again from there; with the settings' defaults, RESTART_RULE. Pure. */
export function restartRuleOf({ restart_broken, restart_times }: Settings): RestartRule {
  const { restartsWhenLost } = RESTART_RULE;
  const restarts = restart_broken ? restart_times : 0;
  return { ...RESTART_RULE, restarts, restartsWhenLost: Math.min(restartsWhenLost, restarts) };
}

/** When another release takes a lost film's place; with the settings' defaults, REPLACEMENT_RULE. Pure. */
export function replacementRuleOf(settings: Settings): ReplacementRule {
  return {
    attempts: settings.replace_lost ? settings.replace_attempts : 0,
    limit: settings.replace_minutes * MINUTE,
  };
}
