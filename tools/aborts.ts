// npm run aborts: plays in a real Kodi on a busy machine, each followed at once by others; --count N of them, --from N
// for their seeds, --load N for the busy processes on each core, --write to keep the result in docs/aborts.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Opened } from '../test/kodi/aborts/opens.ts';
import { isOurs, summary, writeRun } from './aborts/page.ts';
import { build } from './build/index.ts';
import { parseOptions } from './lib/options.ts';
import { BIN, ROOT } from './lib/paths.ts';

const USAGE = 'npm run aborts -- [--from <n>] [--count <n>] [--load <n>] [--write]';
const USAGE_ERROR = 2;

const options = parseOptions(USAGE, {
  from: { type: 'string', default: '1' },
  count: { type: 'string', default: '100' },
  load: { type: 'string', default: '2' },
  write: { type: 'boolean', default: false },
});

function numberOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error(`"${text}" is no whole number. Usage: ${USAGE}`);
  process.exit(USAGE_ERROR);
}

/** The test of the suite with more opens: it owns Kodi, the load, and their end. */
async function runTest(env: Readonly<Record<string, string>>): Promise<void> {
  const args = [BIN.vitest, 'run', '--project=kodi', join(ROOT, 'test', 'kodi', 'aborts.test.ts')];
  const test = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  await once(test, 'close');
}

const [from, count, load] = [numberOf(options.from), numberOf(options.count), numberOf(options.load)];
await build();
const folder = await mkdtemp(join(tmpdir(), 'slipstream-aborts-'));
try {
  const report = join(folder, 'report.json');
  const began = performance.now();
  await runTest({
    SLIPSTREAM_OPENS: String(count),
    SLIPSTREAM_OPENS_FROM: String(from),
    SLIPSTREAM_OPENS_LOAD: String(load),
    SLIPSTREAM_OPENS_REPORT: report,
  });
  const seconds = (performance.now() - began) / 1000;
  // Missing when the run did not come to its end.
  const opened = JSON.parse(await readFile(report, 'utf8')) as Opened[];
  console.log(summary({ opened }));
  if (options.write) await writeRun({ from, load, seconds, opened });
  if (opened.some(isOurs)) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
