import * as v from 'valibot';
import type { Properties } from '../port.ts';
import { recall } from './handed-over.ts';
import { isLaterEpisode } from './later-episode.ts';
import type { Peer } from './peer.ts';
import { ask } from './properties.ts';

/**
 * When Kodi last went on to a playlist's next film by itself, in milliseconds since the epoch: a film was over, or a
 * call for one brought nothing. The service writes it, and a call that brings nothing.
 */
const WENT_ON = 'slipstream.went-on';

/** Milliseconds from a film's end until the call for the next one is here. A slow box takes seconds to start it. */
const RECENT = 15_000;

/** What is left of a film when an add-on offers its next episode: the longer of so many seconds and this share. */
const NEAR_END = { seconds: 120, share: 0.15 };

const State = v.object({
  /** Counted from 0, of the film that plays or is called for; -1: none of the list's. */
  position: v.number(),
  playing: v.nullable(v.object({ file: v.string(), time: v.number(), duration: v.number() })),
});

const Entry = v.object({ file: v.string(), playing: v.string() });

export async function wentOn(properties: Properties): Promise<void> {
  await properties.set(WENT_ON, String(Date.now()));
}

/**
 * Kodi does not tell who asked for a film. A playlist has moved on when the film at its position is another than the
 * one that plays, or when nothing plays and it went on just now: whoever starts a list in its middle does so with
 * nothing before. An add-on that offers the next episode starts it while the last one, ours, is about to end.
 * @param call The plugin:// call that the film came by, or that stands for the script call.
 */
export async function startedBy(
  peer: Peer,
  properties: Properties,
  call: string,
): Promise<'person' | 'playlist'> {
  const { position, playing } = await ask(peer, 'playlist.state', {}, State);
  if (playing === null) return position > 0 && (await isRecent(properties)) ? 'playlist' : 'person';
  if (position > 0) {
    const entry = await ask(peer, 'playlist.entry', { position }, Entry);
    // Of a list that was emptied under the film that plays, Kodi keeps the position.
    if (entry.file !== '' && entry.file !== entry.playing) return 'playlist';
  }
  if (!isNearEnd(playing)) return 'person';
  const ours = await recall(playing.file, properties);
  return ours !== undefined && isLaterEpisode(call, ours.item) ? 'playlist' : 'person';
}

async function isRecent(properties: Properties): Promise<boolean> {
  const age = Date.now() - Number((await properties.get(WENT_ON)) || Number.NaN);
  // Our own start counts as well: the question comes late in a play.
  return age >= 0 && age < RECENT + process.uptime() * 1000;
}

function isNearEnd({ time, duration }: { readonly time: number; readonly duration: number }): boolean {
  return duration > 0 && duration - time <= Math.max(NEAR_END.seconds, duration * NEAR_END.share);
}
