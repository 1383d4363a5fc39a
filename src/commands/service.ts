import { kodiServiceHost } from '../host/kodi/index.ts';
import { configuredBackends } from '../router.ts';
import { runService } from '../service/service.ts';
import { withPeer } from './with-peer.ts';

/** The service, for as long as Kodi runs. */
export const runServiceCommand = (): Promise<number> =>
  withPeer((peer, start, log) => runService(kodiServiceHost(peer, start), configuredBackends, log));
