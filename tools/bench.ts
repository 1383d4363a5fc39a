// npm run bench: every figure, as a table or (--json) as one object; --only <prefix> for a part. --soak <minutes>: how
// the service's memory stands up to that long a play instead; 30 minutes or more are written down in docs/soak.md.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure, Measurement } from '../bench/figure.ts';
import { FIGURES } from '../bench/index.ts';
import { soak } from '../bench/soak.ts';
import { soakPage } from './bench/soak-page.ts';
import { build } from './build/index.ts';
import { parseOptions } from './lib/options.ts';
import { ROOT } from './lib/paths.ts';

interface Row extends Measurement {
  readonly unit: string;
  readonly target: string;
}

const USAGE_ERROR = 2;
const DECIMALS = 3;
/** Minutes. */
const WHOLE_SOAK = 30;

const options = parseOptions('npm run bench -- [--json] [--only <prefix>] [--soak <minutes>]', {
  json: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  soak: { type: 'string' },
});
if (options.soak === undefined) await bench();
else await soakFor(Number(options.soak));

async function bench(): Promise<void> {
  const figures = FIGURES.filter(({ name }) => name.startsWith(options.only));
  if (figures.length === 0) {
    console.error(`No figure starts with "${options.only}". There are:`);
    for (const { name } of FIGURES) console.error(`  ${name}`);
    process.exit(USAGE_ERROR);
  }
  await build();
  const rows = await withOwnTemporaryFolder(() => measureAll(figures));
  if (options.json) console.log(JSON.stringify(rows, rounded));
  else printTable(rows);
  if (Object.values(rows).some(({ met }) => !met)) process.exitCode = 1;
}

async function soakFor(minutes: number): Promise<void> {
  if (!(minutes > 0)) {
    console.error('--soak needs the number of minutes, such as 30.');
    process.exit(USAGE_ERROR);
  }
  await build();
  const report = await withOwnTemporaryFolder(() => soak(minutes));
  const page = soakPage(report);
  console.log(page);
  if (minutes >= WHOLE_SOAK) await writeFile(join(ROOT, 'docs', 'soak.md'), page);
  if (!report.met) process.exitCode = 1;
}

async function measureAll(wanted: readonly Figure[]): Promise<Record<string, Row>> {
  const all: Record<string, Row> = {};
  for (const figure of wanted) {
    if (!options.json) process.stderr.write(`measuring ${figure.name} ...\n`);
    all[figure.name] = await measure(figure);
  }
  return all;
}

/** Whatever the figures leave in the temporary folder (profiles, compile caches) goes with it. */
async function withOwnTemporaryFolder<T>(work: () => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-bench-'));
  // One for POSIX, two for Windows.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  try {
    return await work();
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(DECIMALS)) : value;
}

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
    const figure = `${Number.isNaN(value) ? '-' : value.toFixed(value < 10 ? 2 : unit === '%' ? 1 : 0)} ${unit}`;
    console.log(
      `${met ? 'met    ' : 'NOT MET'}  ${name.padEnd(28)} ${figure.padStart(12)}   ${target}; ${note}`,
    );
  }
}
