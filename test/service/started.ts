import { expect, onTestFinished } from 'vitest';
import type { Backend } from '../../src/backends/backend.ts';
import type { HandedOverFilm, PlayerEvent, PlayerState, ServiceHost, TextPage } from '../../src/host/port.ts';
import { runService, type ServiceTimes } from '../../src/service/service.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

export const TIMES = { round: 10, unplayed: 80, look: 10, stop: 10 };

/** A service in this process, with a player event or two to hear. */
export async function startTestService(
  snapshot?: unknown,
  host = recordingHost(),
  {
    backends = [],
    state,
    ...times
  }: Partial<ServiceTimes> & { backends?: readonly Backend[]; state?: PlayerState } = {},
) {
  const log = memoryLog();
  const snapshots: unknown[] = [];
  const played: [string, number][] = [];
  const refusals: string[] = [];
  /** What stays until it is read. */
  const shown: TextPage[] = [];
  const player: { state: PlayerState | undefined; refuses: boolean } = { state, refuses: false };
  /** What the media centre was told of films, by their URLs. */
  const films = new Map<string, HandedOverFilm>();
  let tell: (event: PlayerEvent) => void = () => undefined;
  let tellChanged: () => void = () => undefined;
  const serviceHost: ServiceHost = {
    ...host,
    streamRefused: () => {
      refusals.push('refused');
    },
    player: {
      state: () => Promise.resolve(player.state),
      play: (url, position) => {
        played.push([url, position]);
        return player.refuses ? Promise.reject(new Error('Kodi refused')) : Promise.resolve();
      },
      stop: () => Promise.reject(new Error('nothing is to be stopped')),
      releaseQueue: () => undefined,
      replay: (origin, { position }) => {
        played.push([origin, position]);
        return player.refuses ? Promise.reject(new Error('Kodi refused')) : Promise.resolve();
      },
    },
    films: {
      of: (url) => Promise.resolve(films.get(url)),
      restore: (url, film) => {
        films.set(url, film);
        return Promise.resolve();
      },
      forget: (url) => Promise.resolve(void films.delete(url)),
    },
    show: (page) => {
      shown.push(page);
      return Promise.resolve();
    },
    listen: { port: 0 },
    snapshot,
    saveSnapshot: (state) => {
      snapshots.push(state);
      return Promise.resolve();
    },
    onPlayerEvent: (listener) => {
      tell = listener;
    },
    onPlayedToEnd: () => undefined,
    onSettingsChanged: (listener) => {
      tellChanged = listener;
    },
  };
  const running = runService(serviceHost, () => Promise.resolve(backends), log, { ...TIMES, ...times });
  onTestFinished(async () => {
    host.abort();
    await running;
  });
  await expect.poll(() => host.propertyValues.has('svc.proxy_port')).toBe(true);
  return {
    host,
    log,
    running,
    snapshots,
    player,
    played,
    refusals,
    shown,
    films,
    tell: (event: PlayerEvent) => {
      tell(event);
    },
    tellChanged: () => {
      tellChanged();
    },
  };
}

export type Service = Awaited<ReturnType<typeof startTestService>>;

export async function announce(service: Service, upstream: FileServer, more: object = {}): Promise<string> {
  const url = await prepareIn(service, upstream, more);
  service.host.propertyValues.set('svc.stream_url', url).set('svc.active', 'true');
  return url;
}

export async function prepareIn({ host }: Service, upstream: FileServer, more: object = {}): Promise<string> {
  const values = host.propertyValues;
  const answer = await fetch(`http://127.0.0.1:${values.get('svc.proxy_port')}/prepare`, {
    method: 'POST',
    headers: { authorization: `Bearer ${values.get('svc.proxy_token')}` },
    body: JSON.stringify({ url: upstream.url, headers: {}, name: 'film.mkv', ...more }),
  });
  return ((await answer.json()) as { url: string }).url;
}

export const opens = async (url: string) => {
  const answer = await fetch(url, { headers: { range: 'bytes=0-9' } });
  await answer.arrayBuffer();
  return answer.status === 206;
};

/** How many sessions the proxy has. */
export async function sessions({ host: { propertyValues: values } }: Service): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${values.get('svc.proxy_port')}/status`, {
    headers: { authorization: `Bearer ${values.get('svc.proxy_token')}` },
  });
  return ((await answer.json()) as { sessions: unknown[] }).sessions.length;
}

export async function startUpstream(size = 100_000): Promise<FileServer> {
  const upstream = await startFileServer(size);
  onTestFinished(() => upstream.close());
  return upstream;
}
