import { kodiServiceHost } from '../host/kodi/index.ts';
import { playbackBackend } from '../router.ts';
import { runService } from '../service/service.ts';
import { withPeer } from './with-peer.ts';

/** The service, for as long as Kodi runs. */
export const runServiceCommand = (): Promise<number> =>
  withPeer((peer, start, log) =>
    runService(
      kodiServiceHost(peer, start),
      // For the service, nothing set up yet is a normal state.
      (settings) => (settings.webdav_api_url === '' ? undefined : playbackBackend(settings, log)),
      log,
    ),
  );
