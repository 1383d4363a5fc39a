import * as v from 'valibot';
import { SlipstreamError } from '../errors/index.ts';
import type { Properties, ServiceHost } from '../host/port.ts';
import { monotonicNow } from '../io/monotonic-clock.ts';
import { poll } from '../io/wait.ts';
import { maskStreamUrl } from '../resolver.ts';
import { isBusy } from './is-busy.ts';
import { restarted, restartFailed } from './messages.ts';
import type { PlayingFilm } from './playback.ts';
import { replayFilm } from './replay.ts';
import type { EndedFilm } from './report-film-failure.ts';
import { RESTART_RULE } from './restart-rule.ts';
import { isResumable, releaseOf } from './resume-point.ts';

/**
 * What played when this version of the add-on was ended, for the one that follows. It stands in a property of the
 * media centre because that is lost exactly when it must be: with the media centre's own end. A file would have to
 * tell an update from that. It holds no secret: what plays is named by our own plugin call.
 */
const KEPT_PROPERTY = 'slipstream.kept';

/** Milliseconds. An update takes a few seconds; whoever comes later would start a film that nobody waits for. */
const LIFETIME_MS = 60_000;
/**
 * Milliseconds. The player ends a film a moment after it was told to, or, busy with the new profile, seconds later; nobody
 * waits longer for one that hangs. A play here waits 10 s for the proxy, which is published behind this (findProxy).
 */
const STOP_TIMEOUT_MS = 5_000;

const Fields = {
  url: v.string(),
  origin: v.string(),
  time: v.pipe(v.number(), v.minValue(0)),
  mark: v.optional(v.string(), ''),
  /** Where the data of that version lay; empty: an earlier version did not tell. */
  data: v.optional(v.string(), ''),
};
const KeptPlayback = v.variant('version', [
  /** `at`: monotonicNow() */
  v.object({ version: v.literal(2), at: v.number(), ...Fields }),
  /** Of the versions before; `at`: milliseconds since the epoch. */
  v.object({ version: v.literal(1), at: v.number(), ...Fields }),
]);
export type KeptPlayback = v.InferOutput<typeof KeptPlayback>;

/** Keeps what plays. One without an origin cannot be started anew, but maybe has to be stopped. */
export async function keepPlayback(
  { url, origin, time, mark }: PlayingFilm,
  { properties, dataFolder }: Pick<ServiceHost, 'properties' | 'dataFolder'>,
): Promise<void> {
  const kept: KeptPlayback = {
    version: 2,
    at: monotonicNow(),
    url: maskStreamUrl(url),
    origin,
    time,
    mark,
    data: dataFolder,
  };
  await properties.set(KEPT_PROPERTY, JSON.stringify(kept));
}

/**
 * What was kept, for resumeKeptPlayback. The film of another profile, whose data lies elsewhere, is stopped: the media centre
 * leaves it to the player when it switches profiles, and nobody here has chosen it.
 */
export async function takeKeptPlayback(
  host: Pick<ServiceHost, 'properties' | 'player' | 'films' | 'dataFolder' | 'aborted'>,
): Promise<KeptPlayback | undefined> {
  const { properties, player, dataFolder } = host;
  const kept = await readKeptPlayback(properties);
  if (kept === undefined) return undefined;
  if (kept.data !== '' && kept.data !== dataFolder) {
    const playing = (await player.state())?.file;
    const playsStill = playing !== undefined && maskStreamUrl(playing) === kept.url;
    try {
      if (playsStill) await stopPlayback(playing, host);
    } finally {
      await host.films.forget(playsStill ? playing : kept.url);
    }
    return undefined;
  }
  return kept;
}

/** Stops a film; until the player holds it no more, or the wait is over. */
async function stopPlayback(
  playing: string,
  { player, aborted }: Pick<ServiceHost, 'player' | 'aborted'>,
): Promise<void> {
  await player.stop(playing);
  const isOver = async () => (await player.state())?.file !== playing || undefined;
  await poll(isOver, { signal: aborted, interval: () => 50, deadline: STOP_TIMEOUT_MS });
}

/** Once: it is gone afterwards. Undefined when there is nothing of use. */
async function readKeptPlayback(properties: Properties): Promise<KeptPlayback | undefined> {
  const text = await properties.get(KEPT_PROPERTY);
  if (text === '') return undefined;
  await properties.clear(KEPT_PROPERTY);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), KeptPlayback), text);
  if (!parsed.success) return undefined;
  const { version, at } = parsed.output;
  const age = (version === 1 ? Date.now() : monotonicNow()) - at;
  return age >= 0 && age < LIFETIME_MS ? parsed.output : undefined;
}

type ResumeHost = Pick<ServiceHost, 'properties' | 'player' | 'films' | 'notify'>;

/**
 * Resumes what played when the version before this one was ended: at once, when it has ended meanwhile. While the
 * player still lives on what it had read ahead, the film is left to it, and given back for the monitor to watch: it
 * resumes at the point where that is used up.
 * @param failed Tells that it does not go on.
 */
export async function resumeKeptPlayback(
  kept: KeptPlayback,
  host: ResumeHost,
  failed: (film: EndedFilm, failure: SlipstreamError) => Promise<void>,
): Promise<PlayingFilm | undefined> {
  const { player, notify } = host;
  const state = await player.state();
  const playsStill = state !== undefined && maskStreamUrl(state.file) === kept.url;
  const { origin, time, mark } = kept;
  if (origin === '') return undefined;
  if (state !== undefined) return playsStill ? { url: state.file, origin, time, mark } : undefined;
  const position = Math.max(0, time - RESTART_RULE.rewind);
  try {
    await replayFilm(origin, { position, release: releaseOf(mark) }, player);
    await notify(restarted(position));
  } catch (cause) {
    await reportNotResumed(kept, cause, host, failed);
  }
  return undefined;
}

async function reportNotResumed(
  { url, time, mark }: KeptPlayback,
  cause: unknown,
  host: ResumeHost,
  failed: Parameters<typeof resumeKeptPlayback>[2],
): Promise<void> {
  // The player refuses also because the person was quicker.
  if (await isBusy(host, new Set())) return;
  const { title = '' } = (await host.films.of(url)) ?? {};
  const told = restartFailed(time, isResumable(mark, time));
  await failed({ title, isStillPlaying: false }, new SlipstreamError('HOST_FAILED', told, { cause }));
}
