import type { Backend } from '../backends/backend.ts';
import { openLedger } from '../backends/ledger.ts';
import type { ServiceHost } from '../host/port.ts';
import { every } from '../io/wait.ts';
import type { Logger } from '../log/index.ts';
import { PROPERTY } from '../resolver.ts';
import { parseSettings, SETTING_IDS, type Settings } from '../settings/index.ts';
import { type Proxy, startProxy } from '../stream-proxy.ts';
import { createMonitor, type StreamSource } from './monitor.ts';
import { keep, resumeKept } from './resume.ts';
import { openSnapshot } from './snapshot.ts';
import { sweep } from './sweep.ts';
import { watchUnplayed } from './unplayed.ts';

/** Milliseconds; tests shorten them. */
export interface ServiceTimes {
  /** Between two rounds: abandoned jobs, streams that nobody played. */
  readonly round: number;
  /** After this long an announced stream that no player opened will not be played. */
  readonly unplayed: number;
  /** Between two looks at where the player stands. */
  readonly look: number;
}

const TIMES: ServiceTimes = { round: 10_000, unplayed: 60_000, look: 1000 };

/** The backend that the settings name, or undefined while none is set up; given by main, which knows the kinds. */
export type BackendOf = (settings: Settings, log: Logger) => Backend | undefined;

/** Runs the service until the host ends: owns the proxy, publishes it, monitors playback, sweeps the ledger. */
export async function runService(
  host: ServiceHost,
  backendOf: BackendOf,
  log: Logger,
  times: ServiceTimes = TIMES,
): Promise<void> {
  const { properties, aborted: signal } = host;
  // Nothing that goes wrong in a round may end the service, and the film with it.
  const attempt = (what: string, work: () => Promise<void>) =>
    work().catch((error: unknown) => {
      if (!signal.aborted) log.error(what, error);
    });
  const { inherited, save } = openSnapshot(host, log);
  const proxy = await startProxy({
    listen: host.listen,
    log,
    snapshot: inherited.proxy,
    onSnapshot: (state) => {
      save({ proxy: state });
    },
  });
  const monitor = createMonitor({
    properties,
    player: host.player,
    notify: (message) => host.notify(message),
    signal,
    log,
    resumed: inherited.playing,
    onChange: (playing) => {
      save({ playing });
    },
    onEnd: (url) => {
      endSession(proxy, url);
    },
    sourceOf: (url, since) => sourceOf(proxy, url, since),
  });
  host.onPlayerEvent(monitor.take);
  // Whoever reads the stream plays it, heard of or not.
  const isRead = (url: string) =>
    proxy.sessions().some(({ id, unusedFor }) => id === sessionId(url) && unusedFor < times.unplayed);
  const isPlayed = (url: string) => url === monitor.current()?.url || isRead(url);
  const unplayed = watchUnplayed(properties, isPlayed, times.unplayed);
  try {
    await properties.set(PROPERTY.proxyToken, proxy.token);
    await properties.set(PROPERTY.proxyPort, String(proxy.port));
    log.info(`the proxy listens on port ${proxy.port}`);
    await attempt('what played before an update could not be resumed', async () => {
      const film = await resumeKept(host);
      if (film !== undefined) monitor.adopt(film);
    });
    await Promise.all([
      every(times.look, signal, monitor.look),
      every(times.round, signal, async () => {
        await attempt('an unplayed stream could not be withdrawn', async () => {
          const url = await unplayed();
          if (url !== undefined) endSession(proxy, url);
        });
        await attempt('the ledger could not be swept', () => sweepOnce(host, backendOf, log));
      }),
    ]);
    const playing = monitor.current();
    if (playing !== undefined)
      await attempt('what plays could not be kept for an update', () => keep(playing, properties));
  } finally {
    await proxy.close();
  }
}

async function sweepOnce(host: ServiceHost, backendOf: BackendOf, log: Logger): Promise<void> {
  // Entries carry their own time of expiry; none is written here.
  const ledger = openLedger(host.dataFolder, 0);
  const abandoned = await ledger.abandoned();
  if (abandoned.length === 0) return;
  const settings = parseSettings(await host.readSettings(SETTING_IDS));
  await sweep(abandoned, backendOf(settings, log), host.aborted, log);
}

/** What the proxy knows of a stream, and whether it has given up the source since then. */
function sourceOf(proxy: Proxy, streamUrl: string, since: number): StreamSource | undefined {
  const session = proxy.sessions().find(({ id }) => id === sessionId(streamUrl));
  const failure = session?.failure;
  return session && { lost: failure !== undefined && failure.at >= since ? failure : undefined };
}

function endSession(proxy: Proxy, streamUrl: string): void {
  const id = sessionId(streamUrl);
  if (id !== undefined) proxy.endSession(id);
}

/** The session that a URL of ours names; anything may stand in a property that every add-on can write. */
function sessionId(streamUrl: string): string | undefined {
  return URL.canParse(streamUrl) ? new URL(streamUrl).pathname.split('/')[2] : undefined;
}
