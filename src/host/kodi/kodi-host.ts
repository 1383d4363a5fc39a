import { CancelledError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { Host } from '../port.ts';
import { kodiAddons } from './addons.ts';
import { openKodiCodeCard } from './code-card.ts';
import { kodiDialogs } from './dialogs.ts';
import { kodiFiles } from './files.ts';
import { focusedItem } from './focused-item.ts';
import { remember } from './handed-over.ts';
import { kodiListItem } from './list-item.ts';
import { notifyInKodi } from './notify.ts';
import type { Peer } from './peer.ts';
import { openKodiPicker } from './picker.ts';
import { openKodiProgress } from './progress.ts';
import { kodiProperties } from './properties.ts';
import { kodiQuestions } from './questions.ts';
import { askResumeInKodi, resumeAsked } from './resume.ts';
import { openKodiSettings, readKodiSettings, writeKodiSettings } from './settings.ts';
import type { StartMessage } from './start.ts';
import { startedBy, wentOn } from './started-by.ts';
import { kodiWindows } from './windows.ts';

/** Kodi as the Host of the plugin process. */
export function kodiHost(peer: Peer, start: StartMessage, log: Logger): Host {
  const windows = kodiWindows(peer);
  const dialogs = kodiDialogs(peer, windows);
  const aborted = abortSignal(peer);
  const properties = kodiProperties(peer);
  return {
    dataFolder: start.data,
    aborted,
    readSettings: (ids) => readKodiSettings(peer, ids),
    writeSettings: (values) => writeKodiSettings(peer, values),
    openSettings: (page) => openKodiSettings(peer, page),
    properties,
    files: kodiFiles(peer),
    addons: kodiAddons(peer, start.data),
    openProgress: (title) => Promise.resolve(openKodiProgress(windows, title, log)),
    openPicker: (view, signal) => openKodiPicker({ windows, dialogs, log }, view, signal),
    questions: kodiQuestions({ windows, dialogs, log }),
    openCodeCard: (card, signal) => openKodiCodeCard({ windows, dialogs, log }, start.data, card, signal),
    resumeAsked: resumeAsked(start),
    askResume: (position, signal) => askResumeInKodi(peer, dialogs, position, signal),
    startedBy: () => startedBy(peer, properties, callOf(start)),
    focusedItem: () => focusedItem(peer),
    notify: (message) => notifyInKodi(peer, message),
    play: async (item) => {
      const call = callOf(start);
      const made = kodiListItem(item, start.entry === 'script' ? call : '');
      await remember(made, item, item.request === undefined ? '' : call, properties);
      await peer.call('play', { item: made });
    },
    showMenu: async (rows) => {
      aborted.throwIfAborted();
      const made = rows.map(({ label, help, route }) => ({
        label,
        help,
        url: `plugin://${start.addon.id}${route}`,
      }));
      await peer.call('menu.show', { rows: made });
    },
    resolve: async (item, after) => {
      // With the abort the host has answered by itself: Kodi waits for that, not for our clean-up.
      if (item !== undefined) aborted.throwIfAborted();
      if (aborted.aborted) return;
      if (item === undefined) {
        const endPlaylist = after?.endPlaylist ?? false;
        if (!endPlaylist) await wentOn(properties);
        await peer.call('resolve', { item: null, endPlaylist });
        return;
      }
      const made = kodiListItem(item, '');
      await remember(made, item, item.request === undefined ? '' : callOf(start), properties);
      await peer.call('resolve', { item: made });
    },
  };
}

/** The plugin:// call that the film came by, or that stands for the script call; empty when it would ask again. */
function callOf({ entry, argv, addon }: StartMessage): string {
  if (argv[0]?.includes('/search') === true) return '';
  if (entry !== 'script') return `${argv[0] ?? ''}${argv[2] ?? ''}`;
  return `plugin://${addon.id}/play?${argv.slice(2).map(queryPair).join('&')}`;
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
