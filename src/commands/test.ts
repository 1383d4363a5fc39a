import type { ServiceId } from '../connections/service.ts';
import { SERVICES, serviceById } from '../connections/services/index.ts';
import { checksInWords, hasFailed } from '../connections/words.ts';
import { allTestable, type SetupContext, testableService } from '../setup/index.ts';
import { FAILED, runInTerminal } from './in-terminal.ts';
import { COMMON, type CommonArguments, commonArguments, readOptions, usage } from './options.ts';

/** `slipstream test [service]`: tries what is set up, and tells what each came to. Gives the exit status. */
export const runTestCommand = (args: readonly string[]): Promise<number> =>
  runInTerminal(
    () => parseTestArguments(args),
    async ({ service }, { host, log }) => {
      const context: SetupContext = {
        ...{ host, log, signal: host.aborted },
        play: () => Promise.resolve(false),
      };
      const things =
        service === undefined ? await allTestable(context) : [testableService(serviceById(service), context)];
      if (things.length === 0)
        await host.notify({ what: 'Nothing is set up yet.', next: 'See: slipstream setup' });
      const results = await Promise.all(things.map((thing) => thing.test(context.signal)));
      things.forEach(({ name }, index) => {
        process.stdout.write(`${name}\n${checksInWords(results[index] ?? []).text}\n\n`);
      });
      const works = things.length > 0 && !results.flat().some(hasFailed);
      return { played: false, status: works ? 0 : FAILED };
    },
  );

interface TestArguments extends CommonArguments {
  /** Absent: all that are set up. */
  readonly service?: ServiceId;
}

function parseTestArguments(args: readonly string[]): TestArguments | 'help' {
  const { values, positionals } = readOptions(args, COMMON);
  if (values.help !== undefined) return 'help';
  const [name, ...more] = positionals;
  const service = SERVICES.find(({ id }) => id === name)?.id;
  if (more.length > 0 || (name !== undefined && service === undefined))
    throw usage(`Name one of ${SERVICES.map(({ id }) => id).join(', ')}.`);
  return { ...commonArguments(values), ...(service !== undefined && { service }) };
}
