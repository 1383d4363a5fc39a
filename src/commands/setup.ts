import { CancelledError } from '../errors/index.ts';
import { type RouterStages, router } from '../router.ts';
import { CANCELLED, FAILED, runInTerminal } from './in-terminal.ts';
import { COMMON, type CommonArguments, commonArguments, readOptions, usage } from './options.ts';

/** `slipstream setup`: the guided set-up in a shell. Gives the exit status. */
export const runSetup = (args: readonly string[]): Promise<number> =>
  runInTerminal(
    () => parseSetupArguments(args),
    async (_, { host, log }) => {
      const { stages, statusNow } = noticing(router);
      // Where there is no settings file yet, this makes an empty one.
      await host.writeSettings({});
      const entry = () => ({ kind: 'action', request: { action: 'first-run' } }) as const;
      const played = await router.route(entry, 'player', host, log, stages);
      return { played, status: statusNow() };
    },
  );

function parseSetupArguments(args: readonly string[]): CommonArguments | 'help' {
  const { values, positionals } = readOptions(args, COMMON);
  if (values.help !== undefined) return 'help';
  if (positionals.length > 0)
    throw usage(`setup asks for all it needs, and takes no ${positionals[0] ?? ''}.`);
  return commonArguments(values);
}

/** The router has told what failed; a shell wants to know as well. */
function noticing(stages: RouterStages): { stages: RouterStages; statusNow: () => number } {
  let status = 0;
  const runAction: RouterStages['runAction'] = async (...given) => {
    try {
      await stages.runAction(...given);
    } catch (error) {
      status = error instanceof CancelledError ? CANCELLED : FAILED;
      throw error;
    }
  };
  return { stages: { ...stages, runAction }, statusNow: () => status };
}
