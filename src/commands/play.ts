import { CancelledError } from '../errors/index.ts';
import { type RouterStages, router, withAutoSelect } from '../router.ts';
import { entryOf, parsePlayArguments } from './play-arguments.ts';
import { EXIT_CANCELLED, EXIT_FAILED, runInTerminal } from './run-in-terminal.ts';

/** `slipstream play`: the pipeline in a shell. Gives the exit status. */
export const runPlay = (args: readonly string[]): Promise<number> =>
  runInTerminal(
    () => parsePlayArguments(args),
    async (parsed, { host, log }) => {
      const entry = () => entryOf(parsed, router.parsePluginEntry);
      const { stages, wasCancelled } = trackCancel(router);
      // The command line's word on choosing goes before the settings'.
      const played = await router.route(entry, 'player', withAutoSelect(host, parsed.automatic), log, stages);
      return { hasPlayed: played, status: wasCancelled() ? EXIT_CANCELLED : EXIT_FAILED };
    },
  );

/** The router answers for a cancel as for a failure, but a shell tells them apart. */
function trackCancel(stages: RouterStages): { stages: RouterStages; wasCancelled: () => boolean } {
  let cancelled = false;
  const playEntry: RouterStages['playEntry'] = async (...args) => {
    try {
      return await stages.playEntry(...args);
    } catch (error) {
      cancelled = error instanceof CancelledError;
      throw error;
    }
  };
  return { stages: { ...stages, playEntry }, wasCancelled: () => cancelled };
}
