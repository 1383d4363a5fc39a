// npm run bench: every figure, as a table or (--json) as one object; --only <prefix> for a part.
import { parseArgs } from 'node:util';
import type { Figure, Measurement } from '../bench/figure.ts';
import { FIGURES } from '../bench/index.ts';
import { build } from './build/index.ts';

interface Row extends Measurement {
  readonly unit: string;
  readonly target: string;
}

const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});

await build();
const rows: Record<string, Row> = {};
for (const figure of FIGURES.filter(({ name }) => name.startsWith(options.only))) {
  if (!options.json) process.stderr.write(`measuring ${figure.name} ...\n`);
  rows[figure.name] = await measure(figure);
}
if (options.json) console.log(JSON.stringify(rows));
else printTable(rows);
if (Object.values(rows).some(({ met }) => !met)) process.exitCode = 1;

/** A figure that could not be measured is not met. */
async function measure({ unit, target, measure: run }: Figure): Promise<Row> {
  try {
    return { unit, target, ...(await run()) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { unit, target, value: Number.NaN, met: false, note: `could not be measured: ${why}` };
  }
}

function printTable(all: Readonly<Record<string, Row>>): void {
  for (const [name, { value, unit, target, met, note }] of Object.entries(all)) {
    const figure = `${Number.isNaN(value) ? '-' : value.toFixed(value < 10 ? 2 : 0)} ${unit}`;
    console.log(
      `${met ? 'met    ' : 'NOT MET'}  ${name.padEnd(28)} ${figure.padStart(12)}   ${target}; ${note}`,
    );
  }
}
