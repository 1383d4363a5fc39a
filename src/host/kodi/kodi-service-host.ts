import * as v from 'valibot';
import type { PlayerEvent, ServiceHost } from '../port.ts';
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
  const playerListeners: ((event: PlayerEvent) => void)[] = [];
  const settingsListeners: (() => void)[] = [];
  peer.handle('ping', () => 'pong');
  peer.handle('player', (params) => {
    const event = v.parse(Player, params);
    for (const listener of playerListeners) listener(event);
  });
  peer.handle('settings', () => {
    for (const listener of settingsListeners) listener();
  });
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
      playerListeners.push(listener);
    },
    onSettingsChanged: (listener) => {
      settingsListeners.push(listener);
    },
  };
}
