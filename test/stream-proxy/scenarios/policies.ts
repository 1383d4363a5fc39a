import { POLICIES, type Policies } from '../../../src/stream-proxy/policy/policy.ts';

/** The names of the entries that are milliseconds, or lists of them, in any part of the policies. */
const TIMES = new Set([
  ...['pauses', 'patienceAtStart', 'patience', 'head', 'stall', 'beside', 'besideDear'],
  ...['patienceWithPlayer', 'yields', 'turn', 'steadyAfter', 'seekTakes', 'rest', 'idle'],
  ...['first', 'settle', 'sample', 'verify', 'longestRest'],
  ...['look', 'confirm', 'fresh', 'again', 'told', 'troubled'],
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
  const small = { memory: 8 * MIB, buffer: 6 * MIB, behind: MIB, index: MIB, skip: MIB / 4, unasked: MIB };
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
