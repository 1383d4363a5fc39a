import { availableParallelism } from 'node:os';
import type { Ending } from '../../test/kodi/aborts/judge.ts';
import type { Opened } from '../../test/kodi/aborts/opens.ts';
import { describeOpen } from '../../test/kodi/aborts/plan.ts';
import { table, writeSection, writtenBy } from '../lib/sections.ts';

export interface AbortRun {
  readonly from: number;
  /** Busy processes on each core. */
  readonly load: number;
  readonly seconds: number;
  readonly opened: readonly Opened[];
}

/** How often Kodi survived, and whose the ends were that it did not, in one line. */
export function summary({ opened }: Pick<AbortRun, 'opened'>): string {
  const ours = opened.filter(isOurs).length;
  const ended = opened.filter(hasEnded).length;
  return `Kodi survived ${opened.length - ended} of ${opened.length} opens; ${ended - ours} ends were its own, ${ours} were ours`;
}

/** Keeps the result of a run in docs/aborts.md. */
export async function writeRun(run: AbortRun): Promise<void> {
  const { from, load, seconds, opened } = run;
  const by = (title: string, nameOf: (each: Opened) => string) =>
    table({ title, unit: 'opens' }, opened, (each) => [nameOf(each)], hasEnded);
  await writeSection('aborts.md', [
    `## Seeds ${from} to ${from + opened.length - 1}`,
    '',
    ...writtenBy(
      `aborts -- --from ${from} --count ${opened.length} --load ${load}`,
      `${availableParallelism()} cores, ${load} busy processes on each`,
    ),
    '',
    `**${summary(run)}**, in ${seconds.toFixed(0)} s.`,
    '',
    ...by('First press', ({ open }) => open.way),
    ...by('What becomes of it', ({ open }) => open.course),
    ...opened.flatMap(({ open, ending }) =>
      ending === undefined ? [] : endingLines(describeOpen(open), ending),
    ),
  ]);
}

export const isOurs = ({ ending }: Opened): boolean => ending?.ours === true;

const hasEnded = ({ ending }: Opened): boolean => ending !== undefined;

const endingLines = (open: string, { status, line, after, ours }: Ending): string[] => [
  `- ${open}: ${ours ? 'ours' : "Kodi's own"}, status ${status ?? 'none, it does not answer'}, ${after} ms after the start of the script:`,
  `  \`${line}\``,
];
