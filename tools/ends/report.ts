import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.ts';

const FILE = join(ROOT, 'docs', 'ends.md');
/** What begins the rows of the table. */
const RULE = '|---|---|---:|---|';

interface Ended {
  readonly name: string;
  readonly holds: boolean;
  readonly seconds: number;
}

/** What we read of vitest's JSON report. */
interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly duration?: number;
    }[];
  }[];
}

/** The ends that a run has looked at. */
export function readEnds(report: string | undefined): Ended[] {
  if (report === undefined) return [];
  return (JSON.parse(report) as Report).testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ title, status, duration = 0 }) => ({
      name: title,
      holds: status === 'passed',
      seconds: duration / 1000,
    }));
}

/** Writes their rows in docs/ends.md, in place of those of the same names; the others stay as they are. */
export async function writeEnds(ends: readonly Ended[]): Promise<void> {
  const text = await readFile(FILE, 'utf8');
  const at = text.indexOf(RULE) + RULE.length;
  const rows = new Map(
    text
      .slice(at)
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((row) => [nameOf(row), row]),
  );
  const date = new Date().toISOString().slice(0, 10);
  for (const { name, holds, seconds } of ends)
    rows.set(name, `| ${name} | ${holds ? 'holds' : '**fails**'} | ${seconds.toFixed(0)} s | ${date} |`);
  const machine = `Node ${process.versions.node}, ${process.arch}, ${cpus().length} cores`;
  const head = text.slice(0, at).replace(/^Last run on: .*$/m, `Last run on: ${machine}.`);
  await writeFile(FILE, `${head}\n${[...rows.values()].join('\n')}\n`);
}

const nameOf = (row: string) => row.split('|')[1]?.trim() ?? '';
