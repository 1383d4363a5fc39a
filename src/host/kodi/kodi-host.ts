import { CancelledError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { Host } from '../port.ts';
import { kodiListItem } from './list-item.ts';
import { notifyInKodi } from './notify.ts';
import type { Peer } from './peer.ts';
import { pickInKodi } from './picker.ts';
import { openKodiProgress } from './progress.ts';
import { kodiProperties, readKodiSettings } from './properties.ts';
import type { StartMessage } from './start.ts';
import { kodiWindows } from './windows.ts';

/** Kodi as the Host of the plugin process. */
export function kodiHost(peer: Peer, start: StartMessage, log: Logger): Host {
  const windows = kodiWindows(peer);
  const aborted = abortSignal(peer);
  return {
    dataFolder: start.data,
    aborted,
    readSettings: (ids) => readKodiSettings(peer, ids),
    properties: kodiProperties(peer),
    openProgress: (title) => Promise.resolve(openKodiProgress(windows, title, log)),
    pick: (list, signal) => pickInKodi(windows, list, signal),
    notify: (message) => notifyInKodi(peer, message),
    play: async (item) => {
      await peer.call('play', { item: kodiListItem(item, originOf(start)) });
    },
    resolve: async (item) => {
      // With the abort the host has answered by itself: Kodi waits for that, not for our clean-up.
      if (item !== undefined) aborted.throwIfAborted();
      if (aborted.aborted) return;
      await peer.call('resolve', { item: item === undefined ? null : kodiListItem(item, '') });
    },
  };
}

/** The plugin:// call that stands for a script call; a plugin call is remembered by Kodi itself. */
function originOf({ entry, argv, addon }: StartMessage): string {
  const pairs = argv.slice(2);
  return entry === 'script' ? `plugin://${addon.id}/play?${pairs.map(queryPair).join('&')}` : '';
}

/** Script values arrive percent-encoded, but not all of what a query would misread is. */
function queryPair(pair: string): string {
  return pair.replace(/[&#?+\s]/g, encodeURIComponent);
}

/** Aborts when Kodi asks for it, or when the host is gone. */
export function abortSignal(peer: Peer): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    controller.abort(new CancelledError('shutdown'));
  };
  peer.handle('abort', abort);
  if (peer.closed.aborted) abort();
  else peer.closed.addEventListener('abort', abort);
  return controller.signal;
}
