// npm run check: everything that can be said about the sources without running them.
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { BIN, ROOT } from './lib/paths.ts';
import { type Finished, run } from './lib/run.ts';
import { xmlFaults } from './lib/well-formed.ts';
import { allCitationFaults } from './lint/citations.ts';
import { allCommentFaults } from './lint/comments.ts';

interface Step {
  readonly name: string;
  readonly work: () => Promise<Finished>;
}

const tool =
  (script: string, ...args: string[]) =>
  () =>
    run(process.execPath, [script, ...args]);

// The slow ones first, so that the quick ones fill the gaps.
const STEPS: readonly Step[] = [
  { name: 'eslint', work: tool(BIN.eslint, '.', '--max-warnings=0') },
  { name: 'types', work: tool(BIN.tsc) },
  { name: 'python', work: tool(BIN.pyright, '--warnings') },
  { name: 'unused code', work: tool(BIN.knip) },
  { name: 'folder rule', work: tool(BIN.vitest, 'run', '--project=unit', 'test/architecture.test.ts') },
  { name: 'format', work: tool(BIN.biome, 'check', '.') },
  { name: 'xml', work: checkXml },
  { name: 'citations', work: checkCitations },
  { name: 'comments', work: checkComments },
];

async function checkXml(): Promise<Finished> {
  const files = await readdir(join(ROOT, 'addon'), { recursive: true });
  const paths = files.filter((file) => file.endsWith('.xml')).map((file) => join(ROOT, 'addon', file));
  return told(await xmlFaults(paths.sort()));
}

async function checkCitations(): Promise<Finished> {
  return told(await allCitationFaults());
}

async function checkComments(): Promise<Finished> {
  return told(await allCommentFaults());
}

const told = (faults: readonly string[]): Finished => ({
  status: faults.length === 0 ? 0 : 1,
  output: `${faults.join('\n')}\n`,
});

/** Works the steps off, as many at once as there are processors. Returns the names of those that failed. */
async function runAll(steps: readonly Step[]): Promise<string[]> {
  const failed: string[] = [];
  const waiting = [...steps];
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const start = performance.now();
      const { status, output } = await step.work();
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${step.name.padEnd(12)} ${seconds.padStart(5)} s`);
      if (status !== 0) {
        failed.push(step.name);
        console.log(output.trimEnd());
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return failed;
}

const failed = await runAll(STEPS);
if (failed.length > 0) {
  console.log(`check failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
