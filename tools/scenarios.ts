// npm run scenarios: random seeds against the stream proxy; --seed N for one with a trace, --from N and --count N for
// a row of them, --write to keep the result in docs/scenarios.md; --holes for films with holes, --spliced for NZBs that
// lack something, --direct for services that stream by themselves, several for several.
import { randomInt } from 'node:crypto';
import { describeScenario, replayCommand } from '../test/stream-proxy/scenarios/describe.ts';
import { generate } from '../test/stream-proxy/scenarios/generate/index.ts';
import { FACTOR, runScenario } from '../test/stream-proxy/scenarios/run.ts';
import { parseOptions } from './lib/options.ts';
import { DIRECT, HOLES, type PlayRun, type SeededPlays, SPLICED, writePlays } from './scenarios/plays.ts';
import { type ScenarioRun, writeReport } from './scenarios/report.ts';

const USAGE =
  'npm run scenarios -- [--holes] [--spliced] [--direct] [--seed <n> | [--from <n>] [--count <n>] [--write]]';
const USAGE_ERROR = 2;
const COUNT = 300;
const AT_A_TIME = 8;
const MAX_SEED = 2 ** 31;

const options = parseOptions(USAGE, {
  seed: { type: 'string' },
  from: { type: 'string' },
  count: { type: 'string', default: String(COUNT) },
  write: { type: 'boolean', default: false },
  holes: { type: 'boolean', default: false },
  spliced: { type: 'boolean', default: false },
  direct: { type: 'boolean', default: false },
});

function numberOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  console.error(`"${text}" is no whole number. Usage: ${USAGE}`);
  process.exit(USAGE_ERROR);
}

/** With everything that happens, as it happens. */
async function runOne(seed: number): Promise<void> {
  const scenario = generate(seed);
  console.log(JSON.stringify(scenario, withInfinity, 2));
  const outcome = await runScenario(scenario, {
    factor: FACTOR,
    trace: (line) => {
      console.log(line);
    },
  });
  console.log(describeScenario(scenario));
  console.log(JSON.stringify(outcome, undefined, 2));
  if (outcome.objections.length > 0) process.exitCode = 1;
}

const withInfinity = (_key: string, value: unknown): unknown => (value === Infinity ? 'never' : value);

async function runMany(from: number, count: number): Promise<void> {
  console.log(`seeds ${from} to ${from + count - 1}`);
  const began = performance.now();
  const ran = await each(from, count, runQuietly);
  const failed = ran.filter(({ outcome }) => outcome.objections.length > 0).length;
  const seconds = (performance.now() - began) / 1000;
  console.log(`${count - failed} of ${count} scenarios hold, in ${seconds.toFixed(0)} s`);
  if (options.write) await writeReport({ from, count, seconds, ran });
  if (failed > 0) process.exitCode = 1;
}

async function each<T>(from: number, count: number, run: (seed: number) => Promise<T>): Promise<T[]> {
  const seeds = Array.from({ length: count }, (_, i) => from + i);
  const done: T[] = [];
  const work = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) done.push(await run(seed));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return done;
}

/** Nothing goes wrong in them but what they are about. */
async function runPlays(plays: SeededPlays, from: number, count: number): Promise<void> {
  console.log(`${plays.title}: seeds ${from} to ${from + count - 1}`);
  const began = performance.now();
  const ran = await each(from, count, async (seed): Promise<PlayRun> => {
    const objections = await plays.play(seed);
    if (objections.length > 0) console.log(`FAILED ${plays.describe(seed)}\n  ${plays.replay(seed)}`);
    for (const objection of objections) console.log(`  ${objection}`);
    return { seed, objections };
  });
  const failed = ran.filter(({ objections }) => objections.length > 0).length;
  const seconds = (performance.now() - began) / 1000;
  console.log(`${count - failed} of ${count} plays hold, in ${seconds.toFixed(0)} s`);
  if (options.write) await writePlays(plays, { from, seconds, ran });
  if (failed > 0) process.exitCode = 1;
}

async function runQuietly(seed: number): Promise<ScenarioRun> {
  const scenario = generate(seed);
  const outcome = await runScenario(scenario, { factor: FACTOR });
  if (outcome.objections.length > 0) {
    console.log(`FAILED ${describeScenario(scenario)}`);
    for (const objection of outcome.objections) console.log(`  ${objection}`);
    console.log(`  ${replayCommand(seed)}`);
  }
  return { scenario, outcome };
}

const kinds = [
  ...(options.holes ? [HOLES] : []),
  ...(options.spliced ? [SPLICED] : []),
  ...(options.direct ? [DIRECT] : []),
];
const from = numberOf(options.seed ?? options.from ?? String(randomInt(MAX_SEED)));
const count = options.seed === undefined ? numberOf(options.count) : 1;
for (const plays of kinds) await runPlays(plays, from, count);
if (kinds.length === 0) await (options.seed === undefined ? runMany(from, count) : runOne(from));
