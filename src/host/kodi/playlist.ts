import * as v from 'valibot';
import type { BridgePeer } from './peer.ts';
import { callChecked } from './properties.ts';

const State = v.object({
  /** Counted from 0, of the film that plays or is called for; -1: none of the list's. */
  position: v.number(),
  /** Whether this call may come of one that was refused just now: the list goes on by itself, or the service starts it again. */
  afterRefusal: v.boolean(),
  playing: v.nullable(v.object({ file: v.string(), time: v.number(), duration: v.number() })),
});

const Entries = v.object({
  entries: v.array(v.object({ file: v.string(), label: v.string() })),
  playing: v.string(),
});

/** Where Kodi's playlist of films stands, and what plays. Waits for nothing. */
export const readPlaylistState = (peer: BridgePeer) => callChecked(peer, 'playlist.state', {}, State);

/** All that stands in it, and the name of what plays. Kodi takes up to 0.3 s for it. */
export const readPlaylistEntries = (peer: BridgePeer) => callChecked(peer, 'playlist.entries', {}, Entries);
