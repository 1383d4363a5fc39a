import { asSlipstreamError, CancelledError } from '../errors/index.ts';
import type { Host, Message } from '../host/port.ts';
import { storeFailure } from '../library/index.ts';
import { type Logger, withRecentLines } from '../log/index.ts';
import { type PlayTarget, whileSettingUp } from '../resolver.ts';
import { parseSettings } from '../settings/index.ts';
import type { SetupContext } from '../setup/action.ts';
import type { Entry, PlayEntry } from './entry.ts';
import { isSetUp, needsSetup } from './lazy-setup.ts';
import { menuRows, runFromMenu } from './menu.ts';
import type { PendingPlay } from './pending-play.ts';
import { askForRequest } from './search-text.ts';
import type { RouterStages } from './stages.ts';
import { withAutoSelect } from './with-auto-select.ts';

/** One call of the media centre. */
interface Invocation {
  readonly target: PlayTarget;
  readonly host: Host;
  readonly log: Logger;
  readonly stages: RouterStages;
  /** The last lines of the log. */
  readonly lines: readonly string[];
  /** What it is to play, once that is known. */
  title?: string;
  /** The resolve, if there is one, has its answer. */
  isResolved: boolean;
  /** An action has handed something to the player. */
  hasPlayed?: boolean;
}

/**
 * Runs one entry to its end and answers for it: on success the stream is handed over; on anything else a pending
 * resolve is answered with nothing, and the person is told what failed. Never rejects for a failed play.
 *
 * @returns whether something was handed to the player.
 */
export async function route(
  parse: () => Entry,
  outlet: PlayTarget,
  host: Host,
  log: Logger,
  stages: RouterStages,
): Promise<boolean> {
  const call: Invocation = { target: outlet, host, stages, ...withRecentLines(log), isResolved: false };
  return await orReport(call, async () => {
    const entry = parse();
    const run = () => orReport(call, () => dispatch(entry, call));
    return entry.kind === 'action' || entry.kind === 'search' ? await runFromMenu(call, run) : await run();
  });
}

async function orReport(call: Invocation, run: () => Promise<boolean>): Promise<boolean> {
  try {
    return await run();
  } catch (error) {
    try {
      await reportFailure(error, call);
    } finally {
      await resolveWithNothing(call, await endsPlaylist(error, call.host));
    }
    return false;
  }
}

async function dispatch(entry: Entry, call: Invocation): Promise<boolean> {
  const { host, stages } = call;
  switch (entry.kind) {
    case 'menu':
      await showMenu(call);
      return false;
    case 'action':
      // It plays nothing, and may last long.
      await resolveWithNothing(call, true);
      await stages.runAction(entry.request, setupContext(call));
      return call.hasPlayed === true;
    case 'search':
      await play({ kind: 'play', request: await askForRequest(host) }, call);
      return true;
    default:
      if (await host.deferToBrokenFilm()) {
        call.isResolved = true;
        return false;
      }
      await play(entry, call);
      return true;
  }
}

/** Set once the set-up has opened by itself; lost with the media centre. Who leaves it has the menu. */
const SETUP_OFFERED = 'slipstream.set-up-offered';

/** Where nothing is set up yet, what the person wants is to set it up. */
async function showMenu({ host, log }: Invocation): Promise<void> {
  const isSeen = await host.showMenu(await menuRows({ host, log }));
  if (!isSeen || (await isSetUp({ host, log })) || (await host.properties.get(SETUP_OFFERED)) !== '') return;
  await host.properties.set(SETUP_OFFERED, 'true');
  await host.startRoute('/setup/first-run');
}

async function play(entry: PlayEntry, call: Invocation): Promise<void> {
  const { host, log, target: outlet, stages } = call;
  call.title = entry.kind === 'play' ? stages.displayTitle(entry.request) : entry.title;
  const handedOver = await whileSettingUp(host.properties, async () => {
    const { item, pending } = await playOrSetUp(entry, call);
    const { resolver } = stages;
    await pending.orDiscard(() => resolver.handOver(item, outlet, host, resolver));
    return pending;
  });
  // It plays: whatever is left to be noted is no failure of the play.
  await handedOver.commit().catch((cause: unknown) => {
    log.error('what plays could not be noted', cause);
  });
}

/** The first play leads through the set-up, and goes on when that was gone through. */
async function playOrSetUp(entry: PlayEntry, call: Invocation): Promise<PendingPlay> {
  const { host, log, stages } = call;
  try {
    return await stages.playEntry(entry, host, log, stages);
  } catch (error) {
    if (!(await needsSetup(error, call))) throw error;
    const isDone = await stages.runFirstRun(setupContext(call), { filmWaits: true });
    if (!isDone) throw error;
    return await stages.playEntry(entry, host, log, stages);
  }
}

/** For what asks and tests; what it plays goes to the player by a call of its own. */
function setupContext(call: Invocation): SetupContext {
  const { host, log, lines, stages } = call;
  return {
    host,
    log,
    signal: host.aborted,
    play: async (request) => {
      const automaticHost = withAutoSelect(host, true);
      const nested: Invocation = {
        host: automaticHost,
        log,
        lines,
        stages,
        target: 'player',
        isResolved: false,
      };
      try {
        await play({ kind: 'play', request }, nested);
        call.hasPlayed = true;
        return true;
      } catch (error) {
        await recordFailure(error, nested);
        return false;
      }
    },
  };
}

async function resolveWithNothing(call: Invocation, endPlaylist: boolean): Promise<void> {
  if (call.target !== 'resolve' || call.isResolved) return;
  call.isResolved = true;
  await call.host.resolve(undefined, { endPlaylist });
}

/** Under our name: the call came from another add-on, whose windows are in front again. */
const CANCELLED: Message = { what: 'Slipstream', next: 'Cancelled.', level: 'info' };

/** A failure is always told; a cancel only where nothing else shows it (the script path); a shutdown never. */
async function reportFailure(
  error: unknown,
  { host, target: outlet, log, lines, title }: Invocation,
): Promise<void> {
  if (error instanceof CancelledError) {
    log.info(`play ended: ${error.message}`);
    if (error.by === 'person' && outlet === 'player') await host.notify(CANCELLED);
    return;
  }
  const failure = asSlipstreamError(error);
  log.error('play failed', failure);
  try {
    await host.notify(failure.explanation);
  } finally {
    // What failed beside playing has said so where it was done.
    if (title !== undefined) await storeFailure(failure, { folder: host.dataFolder, log, lines, title });
  }
}

/** The same of a play that the set-up has asked for: it shows what was kept of a failure. */
async function recordFailure(error: unknown, call: Invocation): Promise<void> {
  if (error instanceof CancelledError) {
    await reportFailure(error, call);
    return;
  }
  const { host, log, lines, title = '' } = call;
  const failure = asSlipstreamError(error);
  log.error('play failed', failure);
  const isKept = await storeFailure(failure, { folder: host.dataFolder, log, lines, title });
  if (!isKept) await host.notify(failure.explanation);
}

/** A cancel means all of it. After a failure nobody wants to be asked for film after film, unless they say so. */
async function endsPlaylist(error: unknown, host: Host): Promise<boolean> {
  if (error instanceof CancelledError) return true;
  const stored = await host.readSettings(['skip_failed']).catch(() => ({}));
  return !parseSettings(stored).skip_failed;
}
