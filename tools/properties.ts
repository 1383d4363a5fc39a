// npm run properties [-- --rounds <n> | --seed <n>]: the property tests on fresh seeds, which npm test leaves
// alone. Ends with the seeds that found something.
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseOptions } from './lib/options.ts';
import { BIN, ROOT } from './lib/paths.ts';
import { run } from './lib/run.ts';

const USAGE = 'npm run properties -- [--rounds <n> | --seed <n>]';
const MAX_SEED = 2 ** 31;

const options = parseOptions(USAGE, { rounds: { type: 'string', default: '10' }, seed: { type: 'string' } });
const seeds =
  options.seed === undefined
    ? Array.from({ length: Number(options.rounds) }, () => randomInt(MAX_SEED))
    : [Number(options.seed)];
if (seeds.length === 0 || !seeds.every(Number.isSafeInteger)) {
  console.error(`That is no whole number. Usage: ${USAGE}`);
  process.exit(2);
}

const folder = join(ROOT, 'test');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts') && !/^(?:kodi|real|python)\b/.test(path))
  .map((path) => join(folder, path))
  .filter((path) => readFileSync(path, 'utf8').includes("from 'fast-check'"))
  .map((path) => relative(ROOT, path));

let failed = 0;
for (const seed of seeds) {
  const env = { ...process.env, SLIPSTREAM_PROPERTY_SEED: String(seed) };
  const args = [BIN.vitest, 'run', '--project=unit', '--reporter=dot', ...files];
  const { status, output } = await run(process.execPath, args, { env });
  console.log(`seed ${seed}: ${status === 0 ? 'holds' : 'FAILED'}`);
  if (status === 0) continue;
  failed += 1;
  console.log(output);
  console.log(`again: npm run properties -- --seed ${seed}`);
}
console.log(`${seeds.length - failed} of ${seeds.length} seeds hold`);
if (failed > 0) process.exitCode = 1;
