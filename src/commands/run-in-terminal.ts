import { asSlipstreamError, CancelledError } from '../errors/index.ts';
import type { Host } from '../host/port.ts';
import {
  createInterrupts,
  defaultDataFolder,
  defaultSettingsFile,
  type Interrupts,
  openTerminal,
  shellQuoted,
} from '../host/terminal/index.ts';
import { createLogger, type Logger } from '../log/index.ts';
import { configuredBackends } from '../router.ts';
import { runService } from '../service/service.ts';
import type { CommonArguments } from './options.ts';
import { USAGE } from './usage.ts';

export const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
/** What a shell makes of a program that Ctrl-C ended. */
export const EXIT_CANCELLED = 130;

export interface TerminalContext {
  readonly host: Host;
  readonly log: Logger;
}

/** What a command came to. */
export interface CommandOutcome {
  /** Something was handed to the player: it is served until that ends, or until Ctrl-C. */
  readonly hasPlayed: boolean;
  /** The exit status when nothing plays. */
  readonly status: number;
}

/** Reads the arguments, then runs the command in a shell, with the service beside it in the same process. Gives the exit status. */
export async function runInTerminal<A extends CommonArguments>(
  parse: () => A | 'help',
  run: (args: A, context: TerminalContext) => Promise<CommandOutcome>,
): Promise<number> {
  const args = parseOrPrint(parse);
  if (args === undefined) return EXIT_USAGE;
  if (args === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  const interrupts = createInterrupts();
  const unhook = hookSignals(interrupts);
  try {
    return await runBesideService(args, interrupts, (context) => run(args, context));
  } finally {
    unhook();
  }
}

async function runBesideService(
  args: CommonArguments,
  interrupts: Interrupts,
  run: (context: TerminalContext) => Promise<CommandOutcome>,
): Promise<number> {
  const {
    host,
    service,
    print: say,
  } = openTerminal({
    input: process.stdin,
    output: process.stdout,
    messages: process.stderr,
    interrupts,
    settingsFile: args.settingsFile ?? defaultSettingsFile(process.env),
    dataFolder: args.dataFolder ?? defaultDataFolder(process.env),
    command: (words) => siblingCommand(words, args),
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
    const { hasPlayed: played, status } = await outcomeOf(run({ host, log }), { host, log });
    if (played) await aborted(interrupts.aborted);
    else if (failure === undefined) return status;
    if (failure === undefined) return player.failed ? EXIT_FAILED : 0;
    await host.notify(asSlipstreamError(failure).explanation);
    return EXIT_FAILED;
  } finally {
    interrupts.terminate();
    await running;
  }
}

/** Another command that works in the same place. */
const siblingCommand = (words: string, { settingsFile, dataFolder }: CommonArguments): string =>
  [
    ...['slipstream', words],
    ...(settingsFile === undefined ? [] : ['--settings', shellQuoted(settingsFile)]),
    ...(dataFolder === undefined ? [] : ['--data', shellQuoted(dataFolder)]),
  ].join(' ');

/** What ends a command early is told in words, as what ends a play is: a settings file that cannot be read, and Ctrl-C. */
async function outcomeOf(
  running: Promise<CommandOutcome>,
  { host, log }: TerminalContext,
): Promise<CommandOutcome> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof CancelledError) return { hasPlayed: false, status: EXIT_CANCELLED };
    const failure = asSlipstreamError(error);
    log.error('the command failed', failure);
    await host.notify(failure.explanation);
    return { hasPlayed: false, status: EXIT_FAILED };
  }
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

function parseOrPrint<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    const { what, next } = asSlipstreamError(error).explanation;
    process.stderr.write(`${what} ${next}\n`);
    return undefined;
  }
}
