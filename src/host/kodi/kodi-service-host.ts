import * as v from 'valibot';
import type { ServiceHost } from '../port.ts';
import { kodiAddons } from './addons.ts';
import { kodiFiles } from './files.ts';
import { again, recall, started, takeOver } from './handed-over.ts';
import { abortSignal } from './kodi-host.ts';
import { notifyInKodi } from './notify.ts';
import type { Peer } from './peer.ts';
import { ask, kodiProperties } from './properties.ts';
import { readKodiSettings } from './settings.ts';
import type { StartMessage } from './start.ts';
import { wentOn } from './started-by.ts';

const Event = v.variant('kind', [
  v.object({ kind: v.literal('seek'), file: v.string(), time: v.number() }),
  v.object({ kind: v.picklist(['started', 'av-started', 'stopped', 'ended', 'error']), file: v.string() }),
]);
const State = v.nullable(v.object({ file: v.string(), time: v.number(), duration: v.number() }));

/** Kodi as the ServiceHost of the service process. */
export function kodiServiceHost(peer: Peer, start: StartMessage): ServiceHost {
  peer.handle('ping', () => 'pong');
  const properties = kodiProperties(peer);
  peer.handle('over', () => wentOn(properties));
  return {
    dataFolder: start.data,
    aborted: abortSignal(peer),
    readSettings: (ids) => readKodiSettings(peer, ids),
    properties,
    files: kodiFiles(peer),
    addons: kodiAddons(peer, start.data),
    notify: (message) => notifyInKodi(peer, message),
    player: {
      state: async () => {
        const state = await ask(peer, 'player.state', {}, State);
        if (state === null) return undefined;
        const { origin = '', mark = '' } = (await recall(state.file, properties)) ?? {};
        return { ...state, origin, mark };
      },
      play: async (url, position, like) => {
        if (like !== undefined) await takeOver(url, like.url, like.mark, properties);
        await peer.call('player.play', {
          item: await again(url, properties),
          position: Math.round(position),
        });
      },
    },
    listen: start.listen ?? { port: 0 },
    snapshot: start.snapshot,
    saveSnapshot: async (snapshot) => {
      await peer.call('snapshot.save', { snapshot });
    },
    onPlayerEvent: (listener) => {
      peer.handle('player', async (params) => {
        const event = v.parse(Event, params);
        listener(event);
        if (event.kind === 'started') await started(event.file, properties);
      });
    },
    onSettingsChanged: (listener) => {
      peer.handle('settings', listener);
    },
  };
}
