import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BIN, ROOT } from '../lib/paths.ts';
import type { Project } from './arguments.ts';
import { type Counts, countsOf } from './counts.ts';
import { type Failure, failuresOf } from './failures.ts';

export interface Outcome {
  readonly counts: Counts;
  readonly failures: readonly Failure[];
  /** Vitest's JSON; undefined when it has written none. */
  readonly report: string | undefined;
}

/** Runs projects on one Node, with vitest's own words on the screen, and tells what came of it. */
export async function runVitest(
  node: string,
  projects: readonly Project[],
  rest: readonly string[],
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-test-'));
  try {
    const file = join(folder, 'report.json');
    const status = await spawnOnScreen(node, [
      BIN.vitest,
      'run',
      // With those that are named after it.
      ...projects.map((project) => `--project=${project}*`),
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...rest,
    ]);
    const report = await readFile(file, 'utf8').catch(() => undefined);
    return { counts: countsOf(report, status), failures: failuresOf(report, ROOT), report };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function spawnOnScreen(command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', () => {
      resolve(1);
    });
    child.on('close', (status) => {
      resolve(status ?? 1);
    });
  });
}
