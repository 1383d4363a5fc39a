import type { PickerRow, PickerView } from '../port.ts';
import { rowFacts, type ShownRows } from '../shown-rows.ts';
import type { Screen } from './screen.ts';

/** Gives each row a number when it is first seen, which it keeps. */
export function openRowNumbers(): (id: string) => number {
  const numbers = new Map<string, number>();
  return (id) => {
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    return number;
  };
}

/** Writes the list: what it is about, then two lines for each row. */
export function drawList(
  { title, order, status }: PickerView,
  { rows, summary }: ShownRows,
  numberOf: (id: string) => number,
  screen: Screen,
): void {
  const numbered = rows.map((row) => ({ row, number: String(numberOf(row.id)) }));
  // Most lists stay below a hundred rows: what comes later does not move what stands there.
  const width = Math.max(2, ...numbered.map(({ number }) => number.length));
  screen.heading(title);
  for (const line of [summary, order && `Sorted by ${order}`, status]) if (line !== '') screen.line(line);
  screen.line('');
  for (const { row, number } of numbered) {
    screen.line(`${number.padStart(width)}  ${row.name}`, 'bold');
    screen.line(`${' '.repeat(width)}  ${detailLine(row)}`, 'dim');
  }
  screen.line('');
}

/** Writes all that is known of a row. */
export function drawDetails({ name, rejections, details }: PickerRow, screen: Screen): void {
  const width = Math.max(0, ...details.map(({ label }) => label.length));
  screen.line('');
  screen.line(name, 'bold');
  for (const reason of rejections) screen.line(`rejected: ${reason}`);
  for (const { label, value } of details) screen.line(`${label.padEnd(width)}  ${value}`);
  screen.line('');
}

function detailLine(row: PickerRow): string {
  const [rejection] = row.rejections;
  return [
    row.badges.map(({ text }) => text).join(' '),
    row.size,
    rowFacts(row),
    row.downloaded ? 'downloaded' : '',
    row.pack ? 'season pack' : '',
    rejection === undefined ? '' : `rejected: ${rejection}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
