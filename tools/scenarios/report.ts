import { cpus } from 'node:os';
import { describeScenario, troublesOf } from '../../test/stream-proxy/scenarios/describe.ts';
import { FACTOR, type Outcome } from '../../test/stream-proxy/scenarios/run.ts';
import type { Scenario } from '../../test/stream-proxy/scenarios/scenario.ts';
import { table, writeSection, writtenBy } from '../lib/sections.ts';
import { DOCUMENT } from './document.ts';

export interface ScenarioRun {
  readonly scenario: Scenario;
  readonly outcome: Outcome;
}

export interface Report {
  readonly from: number;
  readonly count: number;
  readonly seconds: number;
  readonly ran: readonly ScenarioRun[];
}

/** Keeps the result of a run in docs/scenarios.md. */
export async function writeReport({ from, count, seconds, ran }: Report): Promise<void> {
  const failed = ran.filter(hasFailed);
  const sum = (pick: (each: ScenarioRun) => number) => ran.reduce((total, each) => total + pick(each), 0);
  const by = (title: string, namesOf: (each: ScenarioRun) => readonly string[]) =>
    table({ title, unit: 'scenarios' }, ran, namesOf, hasFailed);
  await writeSection(DOCUMENT, [
    '# The stream proxy against a hostile upstream',
    '',
    ...writtenBy(
      `scenarios -- --from ${from} --count ${count}`,
      `${cpus().length} cores; all times of the policies and faults × ${FACTOR}`,
    ),
    '',
    `**${count - failed.length} of ${count} scenarios hold**, in ${seconds.toFixed(0)} s. A player received`,
    `${(sum(({ outcome }) => outcome.received) / 1e9).toFixed(2)} GB while faults struck`,
    `${sum(({ outcome }) => outcome.struck)} times; ${sum(({ outcome }) => outcome.filled)} bytes were filled,`,
    `${sum(({ outcome }) => outcome.cuts)} connections ended hard, and`,
    `${ran.filter(({ outcome }) => !outcome.prepared).length} streams were refused before they began.`,
    '',
    ...by('Owed to the player', ({ scenario }) => [scenario.promise]),
    ...by('Container', ({ scenario }) => [scenario.file.container]),
    ...by('Player', ({ scenario }) => [scenario.player.style]),
    ...by('Upstream', ({ scenario }) => [scenario.upstream.script.dialect]),
    ...by('Trouble', ({ scenario }) => troublesOf(scenario.upstream.script)),
    ...(failed.length > 0 ? ['Failed:', '', ...failed.flatMap(failureLines)] : []),
  ]);
}

const hasFailed = ({ outcome }: ScenarioRun) => outcome.objections.length > 0;

const failureLines = ({ scenario, outcome }: ScenarioRun): string[] => [
  `- ${describeScenario(scenario)}`,
  ...outcome.objections.map((objection) => `  - ${objection}`),
];
