// npm run mutants [-- part of a name …]: puts each known defect into a copy of the sources and demands that the tests
// named with it notice. A test that stays green guards nothing.
import { join } from 'node:path';
import { ROOT } from './lib/paths.ts';
import { type Mutant, mutate, readMutants } from './mutants/read.ts';
import { createScratch, type Scratch } from './mutants/scratch.ts';
import { baselineFault, judgeRun, type Verdict } from './mutants/verdict.ts';

async function trial(mutant: Mutant, scratch: Scratch): Promise<Verdict> {
  try {
    return await scratch.changed(
      mutant.file,
      (text) => mutate(text, mutant),
      async () => judgeRun(mutant.tests, (await scratch.runTests(mutant.tests)).report),
    );
  } catch (error) {
    return { kind: 'broken', reason: (error as Error).message };
  }
}

function report(mutant: Mutant, verdict: Verdict, seconds: number): void {
  console.log(
    `${verdict.kind.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s  ${mutant.name}: ${mutant.invariant}`,
  );
  if (verdict.reason !== undefined) console.log(`${' '.repeat(19)}${verdict.reason}`);
}

/** Tries all mutants one after the other; gives how many were not killed. */
async function tryAll(mutants: readonly Mutant[], scratch: Scratch): Promise<number> {
  const baseline = await scratch.runTests(mutants.flatMap(({ tests }) => tests));
  const fault = baselineFault(baseline.status, baseline.report);
  if (fault !== undefined) throw new Error(`${fault}\n${baseline.output}`);
  let alive = 0;
  for (const mutant of mutants) {
    const start = performance.now();
    const verdict = await trial(mutant, scratch);
    report(mutant, verdict, (performance.now() - start) / 1000);
    if (verdict.kind !== 'killed') alive++;
  }
  console.log(`\n${mutants.length - alive} of ${mutants.length} mutants killed`);
  return alive;
}

const mutants = await readMutants(join(ROOT, 'mutants'), process.argv.slice(2));
const scratch = await createScratch();
try {
  if ((await tryAll(mutants, scratch)) > 0 || mutants.length === 0) process.exitCode = 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await scratch.remove();
}
