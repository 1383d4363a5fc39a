// npm test [-- [project …] [vitest's own arguments]]: the built add-on and everything it promises, on the Node at hand
// and on the other end of the supported range. The end tells which tests failed and why; its last line counts those of
// all runs.
import { build } from './build/index.ts';
import { ensureRoot, SKIP_VARIABLE } from './debian-root/index.ts';
import { cacheFolder } from './debian-root/paths.ts';
import { type Project, parseArguments } from './test/arguments.ts';
import { add, type Counts, NONE, summary } from './test/counts.ts';
import { type Failure, failureList } from './test/failures.ts';
import { ensureOtherNode, otherMajors } from './test/other-node.ts';
import { runVitest } from './test/vitest.ts';

const { projects, rest } = parseArguments(process.argv.slice(2));
const strict = process.env['CI'] === 'true';
let total: Counts = NONE;
const failures: Failure[] = [];

/** With CI=true nothing may be skipped for want of something. */
function skip(what: string, why: string): void {
  console.warn(`Skipped: ${what}. ${why}`);
  total = add(total, strict ? { ...NONE, failed: 1 } : { ...NONE, skipped: 1 });
}

/** Runs projects on one Node and remembers what came of it. */
async function runOn(node: string, version: string, chosen: readonly Project[]): Promise<void> {
  console.log(`\nNode ${version}: ${chosen.join(', ')}`);
  const outcome = await runVitest(node, chosen, rest);
  total = add(total, outcome.counts);
  failures.push(...outcome.failures.map(({ name, why }) => ({ name: `Node ${version}: ${name}`, why })));
}

/** The projects in turn: what waits for Kodi, a Python or a real service has the machine for itself. */
async function runOnThisNode(): Promise<void> {
  for (const project of projects) await runOn(process.execPath, process.versions.node, [project]);
}

async function runOnOtherNode(major: number): Promise<void> {
  const node = await ensureOtherNode(cacheFolder(), major);
  if ('skip' in node) {
    skip(`the unit tests on Node ${major}`, node.skip);
    return;
  }
  await runOn(node.binary, String(node.major), ['unit']);
}

async function runAll(): Promise<void> {
  await build();
  // Made here once, so that no test has to wait for it. Tests that need it and find none skip themselves and say so.
  if (projects.some((project) => project === 'kodi' || project === 'real')) {
    const root = await ensureRoot();
    if ('skip' in root) process.env[SKIP_VARIABLE] = root.skip;
  }
  await runOnThisNode();
  if (!projects.includes('unit')) return;
  for (const major of otherMajors(process.versions.node)) await runOnOtherNode(major);
}

try {
  await runAll();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  total = add(total, { ...NONE, failed: 1 });
}
const faults = [
  ...(total.passed + total.failed === 0 ? ['No test ran.'] : []),
  // Arguments may choose single tests; vitest then counts the others as skipped.
  ...(strict && rest.length === 0 && total.skipped > 0 ? ['With CI=true nothing may be skipped.'] : []),
];
const failed = failureList(failures);
if (failed !== '') console.log(failed);
for (const fault of faults) console.error(fault);
console.log(`\n${summary(total)}`);
process.exitCode = total.failed > 0 || faults.length > 0 ? 1 : 0;
