import { describe, expect, it } from 'vitest';
import { describeScenario, replayCommand } from './describe.ts';
import { generate } from './generate/index.ts';
import { FACTOR, runScenario } from './run.ts';

/** Real milliseconds; generous, for a machine that is busy. */
const TIMEOUT = 150_000;

/** One test per seed, several at a time. */
export function testSeeds(first: number, last: number): void {
  const scenarios = Array.from({ length: last - first + 1 }, (_, i) => generate(first + i));
  describe.concurrent('every byte is the source’s, or inside a counted fill, or the connection ends hard', () => {
    it.each(scenarios.map((scenario) => [describeScenario(scenario), scenario] as const))(
      '%s',
      async (_name, scenario) => {
        const { objections } = await runScenario(scenario, { factor: FACTOR });
        expect(objections, replayCommand(scenario.seed)).toEqual([]);
      },
      TIMEOUT,
    );
  });
}
