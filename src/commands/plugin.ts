import { kodiHost, type StartMessage } from '../host/kodi/index.ts';
import type { Host } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import { router } from '../router.ts';
import { withPeer } from './with-peer.ts';

/** One action in Kodi, from its arguments to the answer. Gives the exit status. */
export const runPlugin = (): Promise<number> =>
  withPeer((peer, start, log) => answerCall(start, kodiHost(peer, start, log), log));

/** Routes what Kodi has started the add-on for. */
export async function answerCall(
  { entry, argv }: Pick<StartMessage, 'entry' | 'argv'>,
  host: Host,
  log: Logger,
): Promise<void> {
  const parse = () => (entry === 'script' ? router.parseScriptEntry(argv) : router.parsePluginEntry(argv));
  await router.route(parse, entry === 'resolve' ? 'resolve' : 'player', host, log, router);
}
