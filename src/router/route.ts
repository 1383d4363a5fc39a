import { asSlipstreamError, CancelledError } from '../errors/index.ts';
import type { Host } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import { type Outlet, orDiscard } from '../resolver.ts';
import type { Router } from '../router.ts';
import { parseSettings } from '../settings/index.ts';
import type { SetupContext } from '../setup/action.ts';
import { keepFailure } from '../setup/failure/last-failures.ts';
import { remembering } from '../setup/failure/remembering.ts';
import { displayTitle } from './choose.ts';
import type { Entry, PlayEntry } from './entry.ts';
import { askForRequest } from './free-text.ts';
import { menuRows } from './menu.ts';
import { wantsSetUp } from './set-up.ts';

/** One call of the media centre. */
interface Call {
  readonly outlet: Outlet;
  readonly host: Host;
  readonly log: Logger;
  readonly stages: Router;
  /** The last lines of the log. */
  readonly lines: readonly string[];
  /** What it is to play, once that is known. */
  title?: string;
  /** The resolve, if there is one, has its answer. */
  isAnswered: boolean;
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
  outlet: Outlet,
  host: Host,
  log: Logger,
  stages: Router,
): Promise<boolean> {
  const call: Call = { outlet, host, stages, ...remembering(log), isAnswered: false };
  try {
    return await perform(parse(), call);
  } catch (error) {
    try {
      await tell(error, call);
    } finally {
      await answerNothing(call, await endsPlaylist(error, host));
    }
    return false;
  }
}

async function perform(entry: Entry, call: Call): Promise<boolean> {
  const { host, log, stages } = call;
  switch (entry.kind) {
    case 'menu':
      await host.showMenu(await menuRows({ host, log }));
      return false;
    case 'action':
      // It plays nothing, and may last long.
      await answerNothing(call, true);
      await stages.runAction(entry.request, setupContext(call));
      return call.hasPlayed === true;
    case 'search':
      await play({ kind: 'play', request: await askForRequest(host) }, call);
      return true;
    default:
      await play(entry, call);
      return true;
  }
}

async function play(entry: PlayEntry, call: Call): Promise<void> {
  const { host, log, outlet, stages } = call;
  call.title = entry.kind === 'play' ? displayTitle(entry.request) : entry.title;
  const pending = await playOrSetUp(entry, call);
  await orDiscard(pending, () => stages.resolver.handOver(pending.item, outlet, host));
  // It plays: whatever is left to be noted is no failure of the play.
  await pending.commit().catch((cause: unknown) => {
    log.error('what plays could not be noted', cause);
  });
}

/** The first play leads through the set-up, and goes on when that was gone through. */
async function playOrSetUp(entry: PlayEntry, call: Call): ReturnType<Router['playEntry']> {
  const { host, log, stages } = call;
  try {
    return await stages.playEntry(entry, host, log, stages);
  } catch (error) {
    if (!(await wantsSetUp(error, call))) throw error;
    const isDone = await stages.runFirstRun(setupContext(call), { filmWaits: true });
    if (!isDone) throw error;
    return await stages.playEntry(entry, host, log, stages);
  }
}

/** For what asks and tests; what it plays goes to the player by a call of its own. */
function setupContext(call: Call): SetupContext {
  const { host, log, lines, stages } = call;
  return {
    ...{ host, log },
    signal: host.aborted,
    play: async (request) => {
      const own: Call = { host, log, lines, stages, outlet: 'player', isAnswered: false };
      try {
        await play({ kind: 'play', request }, own);
        call.hasPlayed = true;
        return true;
      } catch (error) {
        await tell(error, own);
        return false;
      }
    },
  };
}

async function answerNothing(call: Call, endPlaylist: boolean): Promise<void> {
  if (call.outlet !== 'resolve' || call.isAnswered) return;
  call.isAnswered = true;
  await call.host.resolve(undefined, { endPlaylist });
}

/** A failure is always told; a cancel only where nothing else shows it (the script path); a shutdown never. */
async function tell(error: unknown, { host, outlet, log, lines, title }: Call): Promise<void> {
  if (error instanceof CancelledError) {
    log.info(`play ended: ${error.message}`);
    if (error.by === 'person' && outlet === 'player') await host.notify({ what: 'Cancelled', next: '' });
    return;
  }
  const failure = asSlipstreamError(error);
  log.error('play failed', failure);
  try {
    await host.notify(failure.explanation);
  } finally {
    // What failed beside playing has said so where it was done.
    if (title !== undefined) await keepFailure(failure, { folder: host.dataFolder, log, lines, title });
  }
}

/** A cancel means all of it. After a failure nobody wants to be asked for film after film, unless they say so. */
async function endsPlaylist(error: unknown, host: Host): Promise<boolean> {
  if (error instanceof CancelledError) return true;
  const stored = await host.readSettings(['skip_failed']).catch(() => ({}));
  return !parseSettings(stored).skip_failed;
}
