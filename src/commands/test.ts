import { checksText, hasFailed } from '../connections/check-texts.ts';
import type { Service } from '../connections/service.ts';
import { SERVICES, servicesCalled } from '../connections/services/index.ts';
import { allTestable, type SetupContext, testableOf } from '../setup/index.ts';
import {
  COMMON_OPTIONS,
  type CommonArguments,
  commonArguments,
  parseOptions,
  usageError,
} from './options.ts';
import { EXIT_FAILED, runInTerminal } from './run-in-terminal.ts';

/** `slipstream test [service]`: tries what is set up, and tells what each came to. Gives the exit status. */
export const runTestCommand = (args: readonly string[]): Promise<number> =>
  runInTerminal(
    () => parseTestArguments(args),
    async ({ services }, { host, log }) => {
      const context: SetupContext = {
        host,
        log,
        signal: host.aborted,
        play: () => Promise.resolve(false),
      };
      const things = await (services === undefined ? allTestable(context) : testableOf(services, context));
      if (things.length === 0)
        await host.notify({ what: 'Nothing is set up yet.', next: 'Run "slipstream setup".' });
      const results = await Promise.all(things.map((thing) => thing.test(context.signal)));
      things.forEach(({ name }, index) => {
        process.stdout.write(`${name}\n${checksText(results[index] ?? []).text}\n\n`);
      });
      const hasSomeFailed = results.flat().some(hasFailed);
      if (hasSomeFailed)
        await host.notify({ what: 'To change what is set up:', next: '"slipstream setup".' });
      const works = things.length > 0 && !hasSomeFailed;
      return { hasPlayed: false, status: works ? 0 : EXIT_FAILED };
    },
  );

interface TestArguments extends CommonArguments {
  /** What the name stands for; absent: all that are set up. */
  readonly services?: readonly Service[];
}

function parseTestArguments(args: readonly string[]): TestArguments | 'help' {
  const { values, positionals } = parseOptions(args, COMMON_OPTIONS);
  if (values.help !== undefined) return 'help';
  const [name, ...more] = positionals;
  const services = name === undefined ? undefined : servicesCalled(name);
  if (more.length > 0 || services?.length === 0) throw usageError(`Name one of ${namesOfAll().join(', ')}.`);
  return { ...commonArguments(values), ...(services !== undefined && { services }) };
}

/** Each once, as people write them. */
function namesOfAll(): readonly string[] {
  const names = SERVICES.flatMap(({ name, products = [] }) => [name, ...products]);
  return [...new Set(names)].filter((name) => !name.includes(' '));
}
