import * as v from 'valibot';
import { poll } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { ServiceHost } from '../port.ts';
import { kodiFiles } from './files.ts';
import {
  clearHandedOver,
  filmStarted,
  itemToReplay,
  moveHandedOver,
  readHandedOver,
  readHandedOverFilm,
  restoreHandedOver,
} from './handed-over-item.ts';
import { abortSignal } from './kodi-host.ts';
import { notifyInKodi } from './notify.ts';
import { kodiAddons } from './other-addons.ts';
import type { BridgePeer } from './peer.ts';
import { openKodiProgress } from './progress.ts';
import { callChecked, kodiProperties } from './properties.ts';
import { encodeReplayRequest } from './replay-request.ts';
import { servicePage } from './service-page.ts';
import {
  clearBrokenOff,
  clearSetAside,
  markBrokenOff,
  type QueueEntry,
  readSetAside,
  takeSetAside,
} from './set-aside-queue.ts';
import { readKodiSettings } from './settings.ts';
import type { StartMessage } from './start.ts';
import { clearFilmOpen, markFilmOpen, markPlaylistAdvanced } from './started-by.ts';
import { kodiWindows } from './windows.ts';

const Event = v.variant('kind', [
  v.object({ kind: v.literal('seek'), file: v.string(), time: v.number() }),
  v.object({ kind: v.picklist(['started', 'av-started', 'stopped', 'ended', 'error']), file: v.string() }),
]);
const State = v.nullable(v.object({ file: v.string(), time: v.number(), duration: v.number() }));

/** Kodi as the ServiceHost of the service process. */
export function kodiServiceHost(peer: BridgePeer, start: StartMessage, log: Logger): ServiceHost {
  const properties = kodiProperties(peer);
  const aborted = abortSignal(peer);
  const unlessEnded = (error: unknown) => {
    if (!aborted.aborted) throw error;
  };
  let isBrokenOff = () => false;
  /** How many films have begun to open. */
  let begun = 0;
  peer.handle('film.ended', async () => {
    const before = begun;
    const hasBrokenOff = isBrokenOff();
    // Before what tells a call that a playlist has made it.
    if (hasBrokenOff) await markBrokenOff(properties);
    await markPlaylistAdvanced(properties);
    if (begun === before) await clearFilmOpen(properties);
    if (hasBrokenOff) await clearBrokenOff(properties, aborted).catch(unlessEnded);
  });
  const windows = kodiWindows(peer);
  const page = servicePage(windows, peer, aborted);
  /** Aborts when something plays: what was set aside before has been played on, or is of no use any more. */
  let playing = new AbortController();
  const giveBack = async (signal: AbortSignal) => {
    const entries = await takeSetAside(properties, signal);
    if (entries.length > 0) await peer.call('playlist.fill', { entries });
  };
  const play = async (params: object, isItself: IsSameFilm) => {
    let behind: readonly QueueEntry[] = [];
    await playWhenFree({ peer, signal: aborted, isItself }, async () => {
      // Each time: the call for what is to follow may come only now.
      behind = await readSetAside(properties);
      await peer.call('player.play', { ...params, following: behind });
    });
    if (behind.length > 0) await clearSetAside(properties);
  };
  return {
    dataFolder: start.data,
    aborted,
    readSettings: (ids) => readKodiSettings(peer, ids),
    properties,
    files: kodiFiles(peer),
    addons: kodiAddons(peer, start.data),
    notify: (message) => notifyInKodi(peer, message),
    streamRefused: () => {
      peer.notify('stream.refused', {});
    },
    openProgress: (title) => Promise.resolve(openKodiProgress(windows, title, log)),
    show: (content) => page.show(content),
    player: {
      state: async () => {
        const state = await callChecked(peer, 'player.state', {}, State);
        if (state === null) return undefined;
        const { origin = '', mark = '', item } = (await readHandedOver(state.file, properties)) ?? {};
        return { ...state, origin, mark, ...(item?.label !== undefined && { title: item.label }) };
      },
      play: async (url, position, like) => {
        // Before it is played: Kodi tells of its start sooner than of having taken it.
        const undo = like && (await moveHandedOver(url, like.url, like.mark, properties));
        const isItself = (file: string) => Promise.resolve(file === url || file === like?.url);
        try {
          await play({ item: await itemToReplay(url, properties), position: Math.round(position) }, isItself);
        } catch (error) {
          await undo?.();
          throw error;
        }
      },
      replay: async (origin, left) => {
        const position = Math.round(left.position);
        const isItself = async (file: string) => (await readHandedOver(file, properties))?.origin === origin;
        await play(
          { item: { url: origin }, position, replayRequest: encodeReplayRequest(origin, left) },
          isItself,
        );
      },
      stop: async (url) => {
        await peer.call('player.stop', { file: url });
      },
      releaseQueue: () => {
        giveBack(AbortSignal.any([aborted, playing.signal])).catch((error: unknown) => {
          if (!aborted.aborted && !playing.signal.aborted)
            log.warning(`what was to follow is not in the playlist again: ${String(error)}`);
        });
      },
    },
    films: {
      of: (url) => readHandedOverFilm(url, properties),
      restore: (url, film) => restoreHandedOver(url, film, properties),
      forget: (url) => clearHandedOver(url, properties),
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
        if (event.kind !== 'started') {
          if (event.file === '') await clearFilmOpen(properties);
          return;
        }
        begun += 1;
        playing.abort(new Error('something plays'));
        playing = new AbortController();
        await markFilmOpen(properties);
        page.close();
        await filmStarted(event.file, properties);
        await clearSetAside(properties);
      });
    },
    onPlayedToEnd: (listener) => {
      isBrokenOff = listener;
    },
    onSettingsChanged: (listener) => {
      peer.handle('settings', listener);
    },
  };
}

/** Milliseconds: until Kodi is free again after a call of a playlist's that was answered with nothing. */
const FREE_POLL = { look: 250, patience: 5_000 };

/** Whether a file that plays is the film itself that is to be played, whose place may be taken. */
type IsSameFilm = (file: string) => Promise<boolean>;

interface WhenFreeOptions {
  readonly peer: BridgePeer;
  readonly signal: AbortSignal;
  readonly isItself: IsSameFilm;
}

/**
 * Kodi refuses a play while it is about another call, and while a film buffers; the person's own, which then plays, goes
 * first.
 */
async function playWhenFree(
  { peer, signal, isItself }: WhenFreeOptions,
  play: () => Promise<void>,
): Promise<void> {
  let failure: unknown;
  const attempt = async () => {
    try {
      await play();
      return true;
    } catch (error) {
      failure = error;
      const state = await callChecked(peer, 'player.state', {}, State);
      if (state !== null && !(await isItself(state.file))) throw error;
      return undefined;
    }
  };
  const options = { signal, interval: () => FREE_POLL.look, deadline: FREE_POLL.patience };
  if ((await poll(attempt, options)) !== true) throw failure;
}
