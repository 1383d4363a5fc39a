import { kodiServiceHost } from '../host/kodi/index.ts';
import { configuredBackends } from '../router.ts';
import { runService } from '../service/service.ts';
import { updatePlayerFile } from '../setup/player-file/index.ts';
import { withPeer } from './with-peer.ts';

/** The service, for as long as Kodi runs. */
export const runServiceCommand = (): Promise<number> =>
  withPeer(async (peer, start, log) => {
    const host = kodiServiceHost(peer, start, log);
    await Promise.all([runService(host, configuredBackends, log), updatePlayerFile(host, log)]);
  });
