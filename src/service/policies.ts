import type { Settings } from '../settings/index.ts';
import { POLICIES, type Policies } from '../stream-proxy.ts';
import type { ReplacementRule } from './replacement-rule.ts';
import { RESTART_RULE, type RestartRule } from './restart.ts';

const MIB = 1_048_576;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** So many films read ahead as far as they may before they share: one plays, another is being opened. */
const FILMS = 2;
/** Of the machine's memory, for all films together: a small box has to run the media centre as well. */
const MEMORY_SHARE = 0.125;
/** Of the patience with a silent server: the rest is for another attempt (READ_POLICY). */
const STALL_SHARE = POLICIES.read.stall / POLICIES.read.patience;
const HEAD_SHARE = POLICIES.read.head / POLICIES.read.patience;
const BESIDE_SHARE = POLICIES.read.beside / POLICIES.read.patience;
/**
 * Milliseconds that Kodi can be kept waiting: it takes 10 s without data for the film's end, and 20 s without a head for
 * a failure.
 */
const LONGEST_SILENCE = 9_000;
const LONGEST_START = 19_500;

/**
 * How the proxy reads, as the person wants it; with the settings' defaults, POLICIES. Pure.
 * @param memory Bytes that the machine has
 */
export function policiesOf(settings: Settings, memory: number): Policies {
  const { lanes, fills, reopen } = POLICIES;
  return {
    ...patience(settings),
    reopen,
    ahead: ahead(settings, memory),
    lanes: { ...lanes, most: settings.most_connections },
    fills: settings.bridge_gaps ? { ...fills, total: settings.bridge_most_mb * MIB } : { ...fills, count: 0 },
  };
}

function patience({ stall_patience, open_patience }: Settings): Pick<Policies, 'read' | 'prepare'> {
  const { read, prepare } = POLICIES;
  const silent = stall_patience * SECOND;
  const opening = open_patience * SECOND;
  return {
    read: {
      ...read,
      patience: Math.min(silent, LONGEST_SILENCE),
      patienceAtStart: Math.min(Math.max(silent, read.patienceAtStart), LONGEST_START),
      stall: Math.min(read.stall, Math.round(silent * STALL_SHARE)),
      head: Math.min(read.head, Math.round(silent * HEAD_SHARE)),
      beside: Math.min(read.beside, Math.round(silent * BESIDE_SHARE)),
    },
    prepare: {
      ...prepare,
      ...{ patienceAtStart: opening, patience: opening, head: opening, stall: opening },
    },
  };
}

function ahead({ read_ahead_mb }: Settings, memory: number): Policies['ahead'] {
  const most = Math.min(read_ahead_mb * MIB * FILMS, Math.floor(memory * MEMORY_SHARE));
  return { ...POLICIES.ahead, memory: most, buffer: most / FILMS };
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
