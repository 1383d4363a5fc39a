import { asSlipstreamError, CancelledError } from '../errors/index.ts';
import type { Host, MenuRow } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import { type Outlet, orDiscard } from '../resolver.ts';
import type { Router } from '../router.ts';
import { parseSettings } from '../settings/index.ts';
import type { Entry } from './entry.ts';
import { askForRequest } from './free-text.ts';

/** What can be started without another add-on. */
const MENU: readonly MenuRow[] = [
  { label: 'Search', help: 'Finds and plays a film or an episode by its title.', route: '/search' },
];

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
  try {
    const entry = parse();
    if (entry.kind === 'menu') {
      await host.showMenu(MENU);
      return false;
    }
    const wanted =
      entry.kind === 'search' ? { kind: 'play' as const, request: await askForRequest(host) } : entry;
    const play = await stages.playEntry(wanted, host, log, stages);
    await orDiscard(play, () => stages.resolver.handOver(play.item, outlet, host));
    // It plays: whatever is left to be noted is no failure of the play.
    await play.commit().catch((cause: unknown) => {
      log.error('what plays could not be noted', cause);
    });
    return true;
  } catch (error) {
    try {
      await tell(error, outlet, host, log);
    } finally {
      if (outlet === 'resolve')
        await host.resolve(undefined, { endPlaylist: await endsPlaylist(error, host) });
    }
    return false;
  }
}

/** A failure is always told; a cancel only where nothing else shows it (the script path); a shutdown never. */
async function tell(error: unknown, outlet: Outlet, host: Host, log: Logger): Promise<void> {
  if (error instanceof CancelledError) {
    log.info(`play ended: ${error.message}`);
    if (error.by === 'person' && outlet === 'player') await host.notify({ what: 'Cancelled', next: '' });
    return;
  }
  const failure = asSlipstreamError(error);
  log.error('play failed', failure);
  await host.notify(failure.explanation);
}

/** A cancel means all of it. After a failure nobody wants to be asked for film after film, unless they say so. */
async function endsPlaylist(error: unknown, host: Host): Promise<boolean> {
  if (error instanceof CancelledError) return true;
  const stored = await host.readSettings(['skip_failed']).catch(() => ({}));
  return !parseSettings(stored).skip_failed;
}
