import { availableParallelism } from 'node:os';
import { SOAK_DRIFT_LIMIT, type SoakReport } from '../../bench/soak.ts';

/** docs/soak.md: what a soak has shown. */
export function soakPage(report: SoakReport): string {
  const { minutes, resident, drift, met, seeks, pauses, gigabytes, files } = report;
  const [from, to] = [minutes / 6, minutes / 3];
  return `# The service's memory in a long play
Written by \`npm run bench -- --soak ${minutes}\`, with Node ${process.versions.node} on ${availableParallelism()} cores.
A player reads 100 Mbit/s through the proxy of the built engine from an origin in memory, pauses, and seeks near and far.

| | |
|---|---|
| Time | ${minutes} minutes |
| Played | ${gigabytes.toFixed(1)} GB, ${seeks} seeks, ${pauses} pauses |
| Drift of the resident memory, minutes ${round(from)}–${round(to)} to the last ${round(minutes / 6)} | ${drift.toFixed(1)} MiB (limit ${SOAK_DRIFT_LIMIT}): ${met ? 'met' : 'NOT MET'} |
| Open files and connections, before and after | ${files.join(', ')} |

Resident memory in MiB, the median of each ${round(minutes / resident.length)} minutes:

${resident.map((mib) => mib.toFixed(0)).join(' ')}
`;
}

const round = (minutes: number): string => String(Number(minutes.toFixed(2)));
