// How right release names are read, beside the published parsers:
//   npx tsx bench/names.ts [--ours] [--failures] [--field title] [table.jsonl ...]
// Tables have the form of test/fixtures/names; without any, both halves of our own are scored. --ours leaves the
// others out. --failures prints what we read wrong (--field: of that field only), but never of the frozen half: nobody may tune on it.
import { parseArgs } from 'node:util';
import { FIELD_NAMES, percent, type Reading, scoreOf } from './names/fields.ts';
import { OTHER_PARSERS } from './names/other-parsers.ts';
import { ourReadings } from './names/score.ts';
import { namesTable, type Row, readTable } from './names/table.ts';

const { values, positionals } = parseArgs({
  options: { ours: { type: 'boolean' }, failures: { type: 'boolean' }, field: { type: 'string' } },
  allowPositionals: true,
});

if (positionals.length > 0) await report(positionals.join(', '), positionals.flatMap(readTable));
else {
  await report('tuning', namesTable('tuning'));
  await report('frozen', namesTable('frozen'));
}

async function report(title: string, rows: readonly Row[]): Promise<void> {
  const ours = await ourReadings(rows);
  const others = values.ours ? [] : Object.entries(OTHER_PARSERS);
  const columns: [string, Reading[]][] = [
    ['ours', ours],
    ...others.map(([name, read]): [string, Reading[]] => [name, rows.map((row) => read(row.name))]),
  ];
  console.log(`${title}: ${rows.length} names`);
  console.log(`${''.padEnd(20)}${columns.map(([name]) => name.padStart(9)).join('')}     rows`);
  for (const field of FIELD_NAMES) {
    const scores = columns.map(([, readings]) => scoreOf(field, rows, readings));
    const cells = scores.map((score) => percent(score).toFixed(1).padStart(9)).join('');
    console.log(`${field.padEnd(20)}${cells}${String(scores[0]?.of ?? 0).padStart(9)}`);
    const isFrozen = title.includes('frozen');
    if (!values.failures || isFrozen || (values.field !== undefined && values.field !== field)) continue;
    for (const { name, expected, read } of scores[0]?.wrong ?? []) {
      console.log(`    ${JSON.stringify(expected)} read ${JSON.stringify(read)}  ${name}`);
    }
  }
}
