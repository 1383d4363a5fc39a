import { kodiHost } from '../host/kodi/index.ts';
import { router } from '../router.ts';
import { withPeer } from './with-peer.ts';

/** One action in Kodi, from its arguments to the answer. */
export const runPlugin = (): Promise<number> =>
  withPeer(async (peer, start, log) => {
    const isScript = start.entry === 'script';
    const host = kodiHost(peer, start, log);
    await router.route(
      () => (isScript ? router.parseScriptEntry(start.argv) : router.parsePluginEntry(start.argv)),
      start.entry === 'resolve' ? 'resolve' : 'player',
      host,
      log,
      router,
    );
  });
