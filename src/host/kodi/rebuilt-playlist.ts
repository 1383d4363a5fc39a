import { haveSameIds } from '../../model/index.ts';
import { callParametersOf, idsInCall } from './call-parameters.ts';
import type { BridgePeer } from './peer.ts';
import { readPlaylistEntries, readPlaylistState } from './playlist.ts';
import type { QueueEntry } from './set-aside-queue.ts';

/**
 * TMDbHelper 6 rebuilds Kodi's playlist each time it is called for an episode of it: the new list begins with that
 * episode. Kodi's position stays what it was in the list before, so Kodi would skip the episodes that follow. Here the
 * episode comes to that position, by copies of its entry in front of it.
 * @param call The plugin:// call of ours for that episode.
 */
export async function keepPlaylistPosition(peer: BridgePeer, call: string): Promise<void> {
  const { position } = await readPlaylistState(peer);
  if (position <= 0) return;
  const { entries, playing } = await readPlaylistEntries(peer);
  const [first] = entries;
  // A film of the list plays at its place: nothing was rebuilt, and the call did not come from the list.
  if (playing !== '' && entries[position]?.file === playing) return;
  if (first === undefined || !isRebuilt(entries, position, call)) return;
  await peer.call('playlist.prepend', { entries: Array.from({ length: position }, () => first) });
}

function isRebuilt(entries: readonly QueueEntry[], position: number, call: string): boolean {
  const [first, atPosition] = [entries[0], entries[position]];
  if (first === undefined || !isSameEpisode(first.file, call)) return false;
  // An entry that tells no episode may be any, the one that is called for as well.
  return atPosition === undefined || (hasEpisode(atPosition.file) && !isSameEpisode(atPosition.file, call));
}

const episodeOf = (url: string): readonly (string | undefined)[] =>
  ['season', 'episode'].map(callParametersOf(url));

const hasEpisode = (url: string): boolean => episodeOf(url).every((told) => told !== undefined);

/** Whether an entry, of whatever add-on, is for the episode of this call. Ids that both tell must agree. */
function isSameEpisode(entry: string, call: string): boolean {
  const [its, ours] = [callParametersOf(entry), callParametersOf(call)];
  const [episode, called] = [episodeOf(entry), episodeOf(call)];
  const isOtherShow =
    haveSameIds(
      idsInCall(ours),
      idsInCall((name) => its(`${name}_id`) ?? its(name)),
    ) === false;
  return hasEpisode(call) && episode.join() === called.join() && !isOtherShow;
}
