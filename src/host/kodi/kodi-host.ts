import { CancelledError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { Host, PlayItem, ReplayRequest } from '../port.ts';
import { bookmarkUrl } from './bookmark.ts';
import { openKodiCodeCard } from './code-card.ts';
import { kodiDialogs } from './dialogs.ts';
import { kodiFiles } from './files.ts';
import { focusedItem } from './focused-item.ts';
import { writeHandedOver } from './handed-over-item.ts';
import { kodiListItem } from './list-item.ts';
import { showKodiMenu, startKodiRoute } from './menu.ts';
import { notifyInKodi } from './notify.ts';
import { kodiAddons } from './other-addons.ts';
import type { BridgePeer } from './peer.ts';
import { openKodiPicker } from './picker.ts';
import { readPlaylistState } from './playlist.ts';
import { openKodiProgress } from './progress.ts';
import { kodiProperties } from './properties.ts';
import { kodiQuestions } from './questions.ts';
import { keepPlaylistPosition } from './rebuilt-playlist.ts';
import { takeReplayRequest } from './replay-request.ts';
import { askResumeInKodi, readResumeAnswer } from './resume.ts';
import { setAside, takeBrokenOff } from './set-aside-queue.ts';
import { openKodiSettings, readKodiSettings, writeKodiSettings } from './settings.ts';
import type { StartMessage } from './start.ts';
import { markPlaylistAdvanced, remainingEntries, startedBy, waitUntilFilmClosed } from './started-by.ts';
import { kodiWindows } from './windows.ts';

/** Kodi as the Host of the plugin process. */
export function kodiHost(peer: BridgePeer, start: StartMessage, log: Logger): Host {
  const windows = kodiWindows(peer);
  const dialogs = kodiDialogs(peer, windows);
  const aborted = abortSignal(peer);
  const properties = kodiProperties(peer);
  let taken: Promise<ReplayRequest | undefined> | undefined;
  const recalled = () =>
    (taken ??=
      start.entry === 'resolve' ? takeReplayRequest(callOf(start), properties) : Promise.resolve(undefined));
  // At once: later the focus may be elsewhere.
  const asked = readResumeAnswer(peer, start);
  asked.catch(() => undefined);
  let placed = Promise.resolve();
  const nameOf = ({ request, given = request }: PlayItem) =>
    given === undefined ? '' : bookmarkUrl(given, start.addon.id);
  const handOver = async (item: PlayItem, bookmark: string) => {
    const made = kodiListItem(item, bookmark);
    await writeHandedOver(made, item, item.request === undefined ? '' : callOf(start), properties);
    return made;
  };
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
    // As the button of the window says.
    cancelKey: 'Back',
    openPicker: (view, signal) => openKodiPicker({ windows, dialogs, log }, view, signal),
    questions: kodiQuestions({ windows, dialogs, log }),
    openCodeCard: (card, signal) => openKodiCodeCard({ windows, dialogs, log }, start.data, card, signal),
    resumeAnswer: () => asked,
    askResume: (offer, signal) => askResumeInKodi(peer, dialogs, offer, signal),
    startedBy: async () => {
      if ((await recalled()) !== undefined) return 'service';
      await waitUntilFilmClosed(peer, properties, aborted);
      return startedBy(peer, properties, callOf(start));
    },
    takeReplayRequest: recalled,
    deferToBrokenFilm: async () => {
      if (start.entry !== 'resolve') return false;
      // Beside what follows: Kodi takes up to 0.3 s for it.
      placed = keepPlaylistPosition(peer, callOf(start)).catch((error: unknown) => {
        log.warning(`the playlist may skip an episode: ${String(error)}`);
      });
      await waitUntilFilmClosed(peer, properties, aborted);
      if (!(await takeBrokenOff(properties))) return false;
      if ((await recalled()) !== undefined) return false;
      if ((await startedBy(peer, properties, callOf(start))) !== 'playlist') return false;
      await placed;
      await setAside(await remainingEntries(peer), properties);
      await peer.call('resolve', { item: null, endPlaylist: true });
      return true;
    },
    focusedItem: () => focusedItem(peer),
    notify: (message) => notifyInKodi(peer, message),
    play: async (item) => {
      await peer.call('play', { item: await handOver(item, nameOf(item)) });
    },
    showMenu: (rows) => showKodiMenu(peer, start, rows, aborted),
    renewMenu: async () => {
      await peer.call('menu.refresh', {});
    },
    startRoute: (to) => startKodiRoute(peer, start, to),
    resolve: async (item, after) => {
      // With the abort the host has answered by itself: Kodi waits for that, not for our clean-up.
      if (item !== undefined) aborted.throwIfAborted();
      if (aborted.aborted) return;
      await placed;
      if (item === undefined) {
        const endPlaylist = after?.endPlaylist ?? false;
        if (!endPlaylist) await markPlaylistAdvanced(properties);
        await peer.call('resolve', { item: null, endPlaylist });
        return;
      }
      // Kodi looks for where a list's row was left under the row's own name. What an add-on plays by itself has no row, and
      // its name is the whole call, which changes with a plot or a poster.
      const { position } = await readPlaylistState(peer);
      await peer.call('resolve', { item: await handOver(item, position < 0 ? nameOf(item) : '') });
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
export function abortSignal(peer: BridgePeer): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    controller.abort(new CancelledError('shutdown'));
  };
  peer.handle('abort', abort);
  if (peer.closed.aborted) abort();
  else peer.closed.addEventListener('abort', abort);
  return controller.signal;
}
