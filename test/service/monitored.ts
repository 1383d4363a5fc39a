import type { SlipstreamError } from '../../src/errors/index.ts';
import type {
  HandedOverFilm,
  PlayerEvent,
  PlayerState,
  ReplayRequest,
  ServicePlayer,
} from '../../src/host/port.ts';
import type { LostFilm } from '../../src/service/lost-film.ts';
import { createMonitor, type PlaybackMonitor } from '../../src/service/monitor.ts';
import { type StoppedFilm } from '../../src/service/playback.ts';
import type { StreamSource } from '../../src/service/stream-sources.ts';
import type { ExplainedFailure } from '../../src/stream-proxy.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

// A monitor with a player, and what it made of them.

export const A = 'http://127.0.0.1:1/stream/a/Sintel.mkv';
export const B = 'http://127.0.0.1:1/stream/b/Spring.mkv';
export const FOREIGN = 'plugin://plugin.video.themoviedb.helper/dummy.mp4';

export const RELEASE = `${'1'.repeat(32)}.700.16000`;
const HASH = '0'.repeat(32);
export const MARK = JSON.stringify({ names: [`tmdb.${HASH}`], release: RELEASE, cut: HASH });

/** Milliseconds: what is to begin has begun by then. */
export const START = 20;

/** Seconds; far from any end that counts as one. */
export const LONG = 6000;

export function setUp({ resumed, refuse = false }: { resumed?: string; refuse?: boolean } = {}) {
  const { properties, propertyValues, notified, aborted } = recordingHost();
  const ended: string[] = [];
  const stopped: Omit<StoppedFilm, 'mark'>[] = [];
  const marks: string[] = [];
  const lost: LostFilm[] = [];
  const changes: (string | undefined)[] = [];
  const failures: SlipstreamError[] = [];
  /** Films of which a failure was told. */
  const failed: LostFilm[] = [];
  /** How often what the player says of an open that failed was to go. */
  const notOpened = { count: 0 };
  /** What the media centre was told of each stream's film. */
  const films = new Map<string, HandedOverFilm>();
  /** Streams of which the player has let go, and whether it waits for their bytes. */
  const letGo: string[] = [];
  const waiting = { inVain: false };
  /** How often the server was asked whether it is there. */
  const asked = { count: 0 };
  const played: [string, number][] = [];
  const anew: [string, ReplayRequest][] = [];
  /** What the player holds, and what the proxy knows of each stream. */
  const world: {
    state: PlayerState | undefined;
    source: StreamSource | undefined;
    away: ExplainedFailure | undefined;
  } = { state: undefined, source: {}, away: undefined };
  const log = memoryLog();
  const refusal = () => (refuse ? Promise.reject(new Error('another film is starting')) : Promise.resolve());
  const player: ServicePlayer = {
    state: () => Promise.resolve(world.state),
    play: (url, position) => {
      played.push([url, position]);
      return refusal();
    },
    replay: (origin, recall) => {
      anew.push([origin, recall]);
      return refusal();
    },
    stop: () => Promise.reject(new Error('nothing is to be stopped')),
    releaseQueue: () => undefined,
  };
  const monitor = createMonitor({
    properties,
    player,
    notify: (message) => {
      notified.push(message);
      return Promise.resolve();
    },
    reportFailure: (film, failure) => {
      failed.push(film);
      failures.push(failure);
      return Promise.resolve();
    },
    checkServer: () => {
      asked.count++;
      return Promise.resolve(world.away);
    },
    signal: aborted,
    log,
    resumed,
    onChange: (playing) => changes.push(playing),
    onStopped: ({ mark, ...film }) => {
      stopped.push(film);
      marks.push(mark);
    },
    onEnd: (url) => ended.push(url),
    isStalled: () => waiting.inVain,
    onStopWhileStalled: (url) => letGo.push(url),
    onLost: (film) => {
      lost.push(film);
      return false;
    },
    onNotOpened: () => {
      notOpened.count++;
    },
    findHandedOver: (url) => Promise.resolve(films.get(url)),
    sourceOf: () => world.source,
    times: { next: 1, start: START },
  });
  const announce = (url: string) => {
    propertyValues.set('svc.stream_url', url);
    propertyValues.set('svc.active', 'true');
  };
  /** The player is at this second of a film, and the monitor sees it. */
  const at = async (time: number, file = A, duration = LONG) => {
    world.state = { file, time, duration, origin: 'origin', mark: MARK, title: 'Sintel (2010)' };
    await monitor.poll();
  };
  /** The player reads to an end, and holds nothing any more. */
  const readsToEnd = async () => {
    world.state = undefined;
    await take(monitor, ['ended', '']);
  };
  return {
    monitor,
    player,
    properties,
    values: propertyValues,
    ended,
    stopped,
    marks,
    lost,
    changes,
    failures,
    failed,
    notOpened,
    letGo,
    waiting,
    films,
    asked,
    announce,
    played,
    anew,
    notified,
    world,
    at,
    readsToEnd,
    log,
  };
}

export async function take(
  monitor: PlaybackMonitor,
  ...events: [Exclude<PlayerEvent['kind'], 'seek'>, string][]
) {
  for (const [kind, file] of events) monitor.handle({ kind, file });
  await monitor.settled();
}
