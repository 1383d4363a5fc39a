import type { BufferPolicy } from '../../../src/stream-proxy/policy/buffer.ts';
import { POLICIES, type Policies } from '../../../src/stream-proxy/policy/policies.ts';

type EntryName = { [Part in keyof Policies]: keyof Policies[Part] }[keyof Policies];

/** The names of the entries that are milliseconds, or lists of them, in any part of the policies. */
const TIMES: ReadonlySet<string> = new Set<EntryName>([
  ...(['pauses', 'firstByteTimeout', 'nextByteTimeout', 'lateHeadAfter', 'stallTimeout'] as const),
  ...(['hedgeAfter', 'hedgeAfterCostly', 'idlePlayerTimeout', 'maxYield', 'starvedAfter'] as const),
  ...(['steadyAfter', 'maxSeekDelay', 'cooldown', 'maxCooldown'] as const),
  ...(['firstTrialAfter', 'settleTime', 'sampleTime', 'verifyAfter'] as const),
  ...(['probeTimeout', 'confirmAfter', 'totalTimeout', 'freshFor', 'recheckInterval'] as const),
  ...(['reportAfter', 'giveUpAfter'] as const),
]);

type Part = Readonly<Record<string, unknown>>;

/** The rules of the real ones, with every time multiplied; sizes, counts and kinds stay. */
function scaledPolicies(factor: number): Policies {
  const parts = Object.entries(POLICIES).map(([part, policy]) => [part, scaled(policy as Part, factor)]);
  return Object.fromEntries(parts) as Policies;
}

const MIB = 1024 * 1024;

/** For a scenario: its films are small, so that a hole is a large part of them, and memory may be smaller still. */
export function scenarioPolicies(factor: number, memory: 'as shipped' | 'small'): Policies {
  const policies = scaledPolicies(factor);
  const small: Partial<BufferPolicy> = {
    totalMemory: 8 * MIB,
    sessionMemory: 6 * MIB,
    backBuffer: MIB,
    indexBytes: MIB,
    skipBytes: MIB / 4,
    prefetchBytes: MIB,
  };
  return {
    ...policies,
    // A film that was read ahead to its end before it is asked for would meet no trouble.
    buffer: { ...policies.buffer, prefetchBytes: 0, ...(memory === 'small' ? small : {}) },
    fills: { ...policies.fills, maxShare: 0.25 },
  };
}

function scaled(policy: Part, factor: number): Part {
  const times = Object.keys(policy).filter((name) => TIMES.has(name));
  return { ...policy, ...Object.fromEntries(times.map((name) => [name, multiplied(policy[name], factor)])) };
}

function multiplied(value: unknown, factor: number): unknown {
  if (typeof value === 'number') return Math.round(value * factor);
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.map((each) => multiplied(each, factor));
}
