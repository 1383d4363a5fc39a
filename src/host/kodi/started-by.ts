import { monotonicNow } from '../../io/monotonic-clock.ts';
import { poll } from '../../io/wait.ts';
import type { Properties } from '../port.ts';
import { readHandedOver } from './handed-over-item.ts';
import { isLaterEpisode } from './later-episode.ts';
import type { BridgePeer } from './peer.ts';
import { readPlaylistEntries, readPlaylistState } from './playlist.ts';
import { isRecent, type QueueEntry } from './set-aside-queue.ts';

/**
 * When Kodi last went on to a playlist's next film by itself (monotonicNow): a film was over, or a call for one brought
 * nothing. The service writes it, and a call that brings nothing.
 */
const PLAYLIST_ADVANCED = 'slipstream.went-on';

/** What is left of a film when an add-on offers its next episode: the longer of so many seconds and this share. */
const NEAR_END = { seconds: 120, share: 0.15 };

/** Set while a film is open, as far as the service has heard. The host clears it together with the service's others. */
const FILM_OPEN = 'svc.film_open';

/** Milliseconds: Kodi calls for the next film before the service has heard that the one before was over. */
const FILM_CLOSED_POLL = { look: 25, patience: 2_000 };

export async function markPlaylistAdvanced(properties: Properties): Promise<void> {
  await properties.set(PLAYLIST_ADVANCED, String(monotonicNow()));
}

/** The service: a film begins to open. */
export async function markFilmOpen(properties: Properties): Promise<void> {
  await properties.set(FILM_OPEN, 'true');
}

/** The service: what is to be known of a film's end can be read. */
export async function clearFilmOpen(properties: Properties): Promise<void> {
  await properties.clear(FILM_OPEN);
}

/** A call: resolves when the service has heard of the end of the film before, or after 2 s. Rejects when aborted. */
export async function waitUntilFilmClosed(
  peer: BridgePeer,
  properties: Properties,
  signal: AbortSignal,
): Promise<void> {
  const isHeard = async () => {
    if ((await properties.get(FILM_OPEN)) === '') return true;
    const { playing } = await readPlaylistState(peer);
    return playing === null ? undefined : true;
  };
  await poll(isHeard, { signal, interval: () => FILM_CLOSED_POLL.look, deadline: FILM_CLOSED_POLL.patience });
}

/** What the playlist holds from the film on that it has called for. */
export async function remainingEntries(peer: BridgePeer): Promise<readonly QueueEntry[]> {
  const { position } = await readPlaylistState(peer);
  const { entries } = await readPlaylistEntries(peer);
  return entries.slice(Math.max(0, position));
}

/**
 * Kodi does not tell who asked for a film. A playlist has moved on when the film at its position is another than the
 * one that plays, or when nothing plays and it went on just now: whoever starts a list in its middle does so with
 * nothing before. An add-on that offers the next episode starts it while the last one, ours, is about to end.
 * @param call The plugin:// call that the film came by, or that stands for the script call.
 */
export async function startedBy(
  peer: BridgePeer,
  properties: Properties,
  call: string,
): Promise<'person' | 'playlist'> {
  const { position, playing, afterRefusal } = await readPlaylistState(peer);
  // What stands behind a call that was refused may be what plays.
  if (afterRefusal) return 'playlist';
  if (playing === null)
    return position > 0 && isRecent(await properties.get(PLAYLIST_ADVANCED)) ? 'playlist' : 'person';
  if (position >= 0) {
    const { entries, playing: name } = await readPlaylistEntries(peer);
    const called = entries[position]?.file;
    const isOther = (file: string | undefined) =>
      file !== undefined && file !== name && file !== playing.file;
    // Of a list that was emptied under the film that plays, Kodi keeps the position. What a person starts while another
    // film plays is first in a list of its own; of the list that plays one may go back to the first, too.
    const isOfList = position > 0 || entries.some(({ file }) => !isOther(file));
    if (isOther(called) && isOfList) return 'playlist';
  }
  if (!isNearEnd(playing)) return 'person';
  const ours = await readHandedOver(playing.file, properties);
  return ours !== undefined && isLaterEpisode(call, ours.item) ? 'playlist' : 'person';
}

function isNearEnd({ time, duration }: { readonly time: number; readonly duration: number }): boolean {
  return duration > 0 && duration - time <= Math.max(NEAR_END.seconds, duration * NEAR_END.share);
}
