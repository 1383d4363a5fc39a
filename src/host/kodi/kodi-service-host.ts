import * as v from 'valibot';
import type { ServiceHost } from '../port.ts';
import { abortSignal } from './kodi-host.ts';
import { notifyInKodi } from './notify.ts';
import type { Peer } from './peer.ts';
import { kodiProperties, readKodiSettings } from './properties.ts';
import type { StartMessage } from './start.ts';

const Player = v.looseObject({
  kind: v.picklist(['started', 'av-started', 'stopped', 'ended', 'error']),
  file: v.string(),
});

/** Kodi as the ServiceHost of the service process. */
export function kodiServiceHost(peer: Peer, start: StartMessage): ServiceHost {
  peer.handle('ping', () => 'pong');
  return {
    dataFolder: start.data,
    aborted: abortSignal(peer),
    readSettings: (ids) => readKodiSettings(peer, ids),
    properties: kodiProperties(peer),
    notify: (message) => notifyInKodi(peer, message),
    listen: start.listen ?? { port: 0 },
    snapshot: start.snapshot,
    saveSnapshot: async (snapshot) => {
      await peer.call('snapshot.save', { snapshot });
    },
    onPlayerEvent: (listener) => {
      peer.handle('player', (params) => {
        listener(v.parse(Player, params));
      });
    },
  };
}
