import { CancelledError } from '../errors/index.ts';
import { type RouterStages, router } from '../router.ts';
import {
  COMMON_OPTIONS,
  type CommonArguments,
  commonArguments,
  parseOptions,
  usageError,
} from './options.ts';
import { EXIT_CANCELLED, EXIT_FAILED, runInTerminal } from './run-in-terminal.ts';

/** `slipstream setup`: the guided set-up in a shell. Gives the exit status. */
export const runSetup = (args: readonly string[]): Promise<number> =>
  runInTerminal(
    () => parseSetupArguments(args),
    async (_, { host, log }) => {
      const { stages, statusNow } = trackFailure(router);
      // Where there is no settings file yet, this makes an empty one.
      await host.writeSettings({});
      const entry = () => ({ kind: 'action', request: { action: 'first-run' } }) as const;
      const played = await router.route(entry, 'player', host, log, stages);
      return { hasPlayed: played, status: statusNow() };
    },
  );

function parseSetupArguments(args: readonly string[]): CommonArguments | 'help' {
  const { values, positionals } = parseOptions(args, COMMON_OPTIONS);
  if (values.help !== undefined) return 'help';
  if (positionals.length > 0)
    throw usageError(`setup asks for all it needs, and takes no ${positionals[0] ?? ''}.`);
  return commonArguments(values);
}

/** The router has told what failed; a shell wants to know as well. */
function trackFailure(stages: RouterStages): { stages: RouterStages; statusNow: () => number } {
  let status = 0;
  const runAction: RouterStages['runAction'] = async (...given) => {
    try {
      await stages.runAction(...given);
    } catch (error) {
      status = error instanceof CancelledError ? EXIT_CANCELLED : EXIT_FAILED;
      throw error;
    }
  };
  return { stages: { ...stages, runAction }, statusNow: () => status };
}
