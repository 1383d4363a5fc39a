import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { ROOT } from '../lib/paths.ts';
import { run } from '../lib/run.ts';
import { parseTest } from './verdict.ts';

/** Not needed in a copy, or shared with it. */
const LEFT_OUT = new Set(['.git', '.cache', 'dist', 'node_modules']);

export interface TestRun {
  readonly status: number;
  /** vitest's JSON report; undefined when the run did not get that far. */
  readonly report: string | undefined;
  readonly output: string;
}

/** A copy of the sources to do harm in. */
export interface Scratch {
  /** Changes one file for the duration of `work`. */
  changed<T>(file: string, change: (text: string) => string, work: () => Promise<T>): Promise<T>;
  /** Runs the tests in the copy, after a build where they need the built add-on. */
  runTests(tests: readonly string[]): Promise<TestRun>;
  remove(): Promise<void>;
}

export async function createScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-mutants-'));
  const isCopied = (path: string) => !LEFT_OUT.has(relative(ROOT, path)) && basename(path) !== '__pycache__';
  await cp(ROOT, folder, { recursive: true, filter: isCopied });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const node = (...args: string[]) => run(process.execPath, args, { cwd: folder });
  return {
    changed: async (file, change, work) => {
      const path = join(folder, file);
      const original = await readFile(path, 'utf8');
      await writeFile(path, change(original));
      try {
        return await work();
      } finally {
        await writeFile(path, original);
      }
    },
    runTests: async (tests) => {
      const files = [...new Set(tests.map((test) => parseTest(test).file))];
      if (files.some(needsBuild)) {
        const tsx = join(folder, 'node_modules', 'tsx', 'dist', 'cli.mjs');
        const build = await node(tsx, join(folder, 'tools', 'build.ts'));
        if (build.status !== 0) return { ...build, report: undefined };
      }
      const reportFile = join(folder, 'report.json');
      await rm(reportFile, { force: true });
      const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
      const report = ['--reporter=json', `--outputFile=${reportFile}`];
      const done = await node(vitest, 'run', ...report, ...onlyNamed(tests), ...files);
      return { ...done, report: await readFile(reportFile, 'utf8').catch(() => undefined) };
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Leaves out what no mutant names, unless one names a whole file. */
function onlyNamed(tests: readonly string[]): string[] {
  const parts = tests.map((test) => parseTest(test).part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return parts.includes('') ? [] : ['--testNamePattern', parts.join('|')];
}

/** Tests of the add-on as it is installed, in a real Kodi, by its Python host or as processes, run what a build made. */
function needsBuild(file: string): boolean {
  return /^test\/(?:kodi|real|python|pipeline)\//.test(file);
}
