import type { Fault, Script } from '../../support/fault-server/index.ts';
import type { Scenario } from './scenario.ts';

/** A scenario in one line. */
export function describeScenario({ seed, file, upstream, player, promise }: Scenario): string {
  const { script } = upstream;
  const trouble = troublesOf(script);
  const size = `${file.container} of ${file.size} bytes`;
  return `seed ${seed}: ${size}, ${player.style}, ${script.dialect}: ${trouble.join(', ') || 'no fault'}; owed: ${promise}`;
}

/** What an upstream's script holds, by the names under which it is counted. */
export function troublesOf({ faults, late, missing, pace, idle, latency }: Script): string[] {
  return [
    ...faults.map(nameOf),
    ...late.map(({ status }) => `late region (${status})`),
    ...missing.map(() => 'missing region'),
    ...Object.keys(pace).map((scope) =>
      scope === 'total' ? 'throttled in total' : 'throttled per connection',
    ),
    ...(Number.isFinite(idle) ? ['idle connections closed'] : []),
    ...(latency > 0 ? ['latency'] : []),
  ];
}

function nameOf(fault: Fault): string {
  switch (fault.kind) {
    case 'lie':
      return `lie: ${fault.lie.what}`;
    case 'cut':
      return `cut: ${fault.how}`;
    case 'status':
      return `status ${fault.status}`;
    case 'late-head':
      return fault.times === undefined ? 'late head, always' : fault.kind;
    case 'stall':
      return 'after' in fault.at ? 'late body, always' : fault.kind;
    default:
      return fault.kind;
  }
}

/** What repeats one scenario. */
export const replayCommand = (seed: number): string => `npm run scenarios -- --seed ${seed}`;
