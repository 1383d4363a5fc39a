import type { PlayerEvent, PlayerState } from '../../src/host/port.ts';
import {
  createMonitor,
  type PlaybackMonitor,
  type Stopped,
  type StreamSource,
} from '../../src/service/monitor.ts';
import type { LostFilm } from '../../src/service/replacement.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

/** A monitor with a player, and what it made of them. */

export const A = 'http://127.0.0.1:1/stream/a/Sintel.mkv';
export const B = 'http://127.0.0.1:1/stream/b/Spring.mkv';
export const FOREIGN = 'plugin://plugin.video.themoviedb.helper/dummy.mp4';

/** Seconds; far from any end that counts as one. */
export const LONG = 6000;

export function setUp({ resumed, refuse = false }: { resumed?: string; refuse?: boolean } = {}) {
  const { properties, propertyValues, notified, aborted } = recordingHost();
  const ended: string[] = [];
  const stopped: Omit<Stopped, 'mark'>[] = [];
  const marks: string[] = [];
  const lost: LostFilm[] = [];
  const changes: (string | undefined)[] = [];
  const played: [string, number][] = [];
  /** What the player holds, and what the proxy knows of each stream. */
  const world: { state: PlayerState | undefined; source: StreamSource | undefined } = {
    state: undefined,
    source: {},
  };
  const log = memoryLog();
  const monitor = createMonitor({
    properties,
    player: {
      state: () => Promise.resolve(world.state),
      play: (url, position) => {
        played.push([url, position]);
        return refuse ? Promise.reject(new Error('another film is starting')) : Promise.resolve();
      },
    },
    notify: (message) => {
      notified.push(message);
      return Promise.resolve();
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
    onLost: (film) => {
      lost.push(film);
      return false;
    },
    sourceOf: () => world.source,
    times: { next: 1, start: 20 },
  });
  const announce = (url: string) => {
    propertyValues.set('svc.stream_url', url);
    propertyValues.set('svc.active', 'true');
  };
  /** The player is at this second of a film, and the monitor sees it. */
  const at = async (time: number, file = A, duration = LONG) => {
    world.state = { file, time, duration, origin: 'origin', mark: 'mark' };
    await monitor.look();
  };
  /** The player reads to an end, and holds nothing any more. */
  const readsToEnd = async () => {
    world.state = undefined;
    await take(monitor, ['ended', '']);
  };
  return {
    monitor,
    values: propertyValues,
    ended,
    stopped,
    marks,
    lost,
    changes,
    announce,
    played,
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
  for (const [kind, file] of events) monitor.take({ kind, file });
  await monitor.settled();
}
