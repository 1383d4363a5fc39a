// Documents in docs/ that keep the results of runs.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './paths.ts';

/** Keeps the result of a run in that document. Its first line is its heading; what stood under it goes, the rest stays. */
export async function writeSection(document: string, lines: readonly string[]): Promise<void> {
  const file = join(ROOT, 'docs', document);
  const text = `${lines.join('\n').trimEnd()}\n`;
  const [heading = ''] = lines;
  const sections = (await readFile(file, 'utf8')).split(/^(?=#{1,2} )/m).map((each) => `${each.trimEnd()}\n`);
  const at = sections.findIndex((each) => each.startsWith(`${heading}\n`));
  const kept = at < 0 ? [...sections, text] : sections.with(at, text);
  await writeFile(file, kept.join('\n'));
}

/** What a run was written by. */
export const writtenBy = (command: string, machine: string): string[] => [
  `Written by \`npm run ${command} --write\` on ${new Date().toISOString().slice(0, 10)}`,
  `(Node ${process.versions.node}, ${process.arch}, ${machine}).`,
];

/** How many of the runs that have something in common failed. */
export function table<T>(
  { title, unit }: { readonly title: string; readonly unit: string },
  ran: readonly T[],
  namesOf: (each: T) => readonly string[],
  hasFailed: (each: T) => boolean,
): string[] {
  const rows = new Map<string, { count: number; failed: number }>();
  for (const each of ran) {
    for (const name of new Set(namesOf(each))) {
      const row = rows.get(name) ?? { count: 0, failed: 0 };
      row.count++;
      if (hasFailed(each)) row.failed++;
      rows.set(name, row);
    }
  }
  const sorted = [...rows].sort(([a], [b]) => a.localeCompare(b));
  return [
    `| ${title} | ${unit} | failed |`,
    '|---|---:|---:|',
    ...sorted.map(([name, { count, failed }]) => `| ${name} | ${count} | ${failed} |`),
    '',
  ];
}
