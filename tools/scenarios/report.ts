import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { describeScenario, troublesOf } from '../../test/stream-proxy/scenarios/describe.ts';
import { FACTOR, type Outcome } from '../../test/stream-proxy/scenarios/run.ts';
import type { Scenario } from '../../test/stream-proxy/scenarios/scenario.ts';
import { ROOT } from '../lib/paths.ts';

export interface Ran {
  readonly scenario: Scenario;
  readonly outcome: Outcome;
}

export interface Report {
  readonly from: number;
  readonly count: number;
  readonly seconds: number;
  readonly ran: readonly Ran[];
}

/** Keeps the result of a run in docs/scenarios.md. */
export async function writeReport(report: Report): Promise<void> {
  await writeFile(join(ROOT, 'docs', 'scenarios.md'), reportText(report));
}

function reportText({ from, count, seconds, ran }: Report): string {
  const failed = ran.filter(({ outcome }) => outcome.objections.length > 0);
  const sum = (pick: (each: Ran) => number) => ran.reduce((total, each) => total + pick(each), 0);
  const lines = [
    '# The stream proxy against a hostile upstream',
    '',
    `Written by \`npm run scenarios -- --from ${from} --count ${count} --write\` on ${new Date().toISOString().slice(0, 10)}`,
    `(Node ${process.versions.node}, ${process.arch}, ${cpus().length} cores; all times of the policies and faults × ${FACTOR}).`,
    '',
    `**${count - failed.length} of ${count} scenarios hold**, in ${seconds.toFixed(0)} s. A player received`,
    `${(sum(({ outcome }) => outcome.received) / 1e9).toFixed(2)} GB while faults struck`,
    `${sum(({ outcome }) => outcome.struck)} times; ${sum(({ outcome }) => outcome.filled)} bytes were filled,`,
    `${sum(({ outcome }) => outcome.cuts)} connections ended hard, and`,
    `${ran.filter(({ outcome }) => !outcome.prepared).length} streams were refused before they began.`,
    '',
    ...table('Owed to the player', ran, ({ scenario }) => [scenario.promise]),
    ...table('Container', ran, ({ scenario }) => [scenario.file.container]),
    ...table('Player', ran, ({ scenario }) => [scenario.player.style]),
    ...table('Upstream', ran, ({ scenario }) => [scenario.upstream.script.dialect]),
    ...table('Trouble', ran, ({ scenario }) => troublesOf(scenario.upstream.script)),
  ];
  if (failed.length > 0) lines.push('Failed:', '', ...failed.flatMap(failureLines), '');
  return lines.join('\n');
}

function table(title: string, ran: readonly Ran[], namesOf: (each: Ran) => readonly string[]): string[] {
  const rows = new Map<string, { count: number; failed: number }>();
  for (const each of ran) {
    for (const name of new Set(namesOf(each))) {
      const row = rows.get(name) ?? { count: 0, failed: 0 };
      row.count++;
      if (each.outcome.objections.length > 0) row.failed++;
      rows.set(name, row);
    }
  }
  const sorted = [...rows].sort(([a], [b]) => a.localeCompare(b));
  return [
    `| ${title} | scenarios | failed |`,
    '|---|---:|---:|',
    ...sorted.map(([name, { count, failed }]) => `| ${name} | ${count} | ${failed} |`),
    '',
  ];
}

const failureLines = ({ scenario, outcome }: Ran): string[] => [
  `- ${describeScenario(scenario)}`,
  ...outcome.objections.map((objection) => `  - ${objection}`),
];
