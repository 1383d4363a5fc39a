import { asSlipstreamError, CancelledError } from '../errors/index.ts';
import type { Host } from '../host/port.ts';
import {
  createInterrupts,
  defaultDataFolder,
  defaultSettingsFile,
  type Interrupts,
  openTerminal,
} from '../host/terminal/index.ts';
import { createLogger } from '../log/index.ts';
import { configuredBackends, type Router, router } from '../router.ts';
import { runService } from '../service/service.ts';
import { entryOf, type PlayArguments, parsePlayArguments } from './play-arguments.ts';
import { USAGE } from './usage.ts';

const FAILED = 1;
const USAGE_ERROR = 2;
/** What a shell makes of a program that Ctrl-C ended. */
const CANCELLED = 130;

/** `slipstream play`: the pipeline in a shell, with the service beside it in the same process. Gives the exit status. */
export async function runPlay(args: readonly string[]): Promise<number> {
  const parsed = parseOrTell(args);
  if (parsed === undefined) return USAGE_ERROR;
  if (parsed === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  const interrupts = createInterrupts();
  const unhook = hookSignals(interrupts);
  try {
    return await playInTerminal(parsed, interrupts);
  } finally {
    unhook();
  }
}

async function playInTerminal(args: PlayArguments, interrupts: Interrupts): Promise<number> {
  const { host, service, say } = openTerminal({
    input: process.stdin,
    output: process.stdout,
    messages: process.stderr,
    interrupts,
    settingsFile: args.settingsFile ?? defaultSettingsFile(process.env),
    dataFolder: args.dataFolder ?? defaultDataFolder(process.env),
    // https://no-color.org
    styled: !process.env['NO_COLOR'],
    ...(args.player === undefined ? {} : { player: args.player }),
  });
  const log = createLogger((level, line) => {
    if (args.verbose) say(`${level}: ${line}`);
  });
  const player = { failed: false };
  // The person's player is the only one there is: when it ends, so does the command.
  service.onPlayerEvent(({ kind }) => {
    player.failed ||= kind === 'error';
    if (kind === 'ended' || kind === 'stopped' || kind === 'error') interrupts.terminate();
  });
  let failure: unknown;
  const running = runService(service, configuredBackends, log).catch((error: unknown) => {
    failure = error;
    interrupts.terminate();
  });
  try {
    const entry = () => entryOf(args, router.parsePluginEntry);
    const { stages, wasCancelled } = noticingCancel(router);
    const played = await router.route(entry, 'player', withChoice(host, args.automatic), log, stages);
    if (played) await aborted(interrupts.aborted);
    else if (failure === undefined) return wasCancelled() ? CANCELLED : FAILED;
    if (failure === undefined) return player.failed ? FAILED : 0;
    await host.notify(asSlipstreamError(failure).explanation);
    return FAILED;
  } finally {
    interrupts.terminate();
    await running;
  }
}

/** The router answers for a cancel as for a failure, but a shell tells them apart. */
function noticingCancel(stages: Router): { stages: Router; wasCancelled: () => boolean } {
  let cancelled = false;
  const playEntry: Router['playEntry'] = async (...args) => {
    try {
      return await stages.playEntry(...args);
    } catch (error) {
      cancelled = error instanceof CancelledError;
      throw error;
    }
  };
  return { stages: { ...stages, playEntry }, wasCancelled: () => cancelled };
}

/** The command line's word on choosing goes before the settings'. */
function withChoice(host: Host, automatic: boolean | undefined): Host {
  if (automatic === undefined) return host;
  return {
    ...host,
    readSettings: async (ids) => ({ ...(await host.readSettings(ids)), auto_select: String(automatic) }),
  };
}

function hookSignals({ interrupt, terminate }: Interrupts): () => void {
  process.on('SIGINT', interrupt).on('SIGTERM', terminate).on('SIGHUP', terminate);
  return () => {
    process.off('SIGINT', interrupt).off('SIGTERM', terminate).off('SIGHUP', terminate);
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener('abort', () => {
        resolve();
      });
  });
}

function parseOrTell(args: readonly string[]): PlayArguments | 'help' | undefined {
  try {
    return parsePlayArguments(args);
  } catch (error) {
    const { what, next } = asSlipstreamError(error).explanation;
    process.stderr.write(`${what} ${next}\n`);
    return undefined;
  }
}
