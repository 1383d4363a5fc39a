import type { Backend } from '../backends/backend.ts';
import { openLedger } from '../backends/ledger.ts';
import type { ServiceHost } from '../host/port.ts';
import { every } from '../io/wait.ts';
import type { Logger } from '../log/index.ts';
import { PROPERTY } from '../resolver.ts';
import { parseSettings, SETTING_IDS, type Settings } from '../settings/index.ts';
import { type Proxy, startProxy } from '../stream-proxy.ts';
import { createMonitor } from './monitor.ts';
import { openSnapshot } from './snapshot.ts';
import { sweep } from './sweep.ts';
import { watchUnplayed } from './unplayed.ts';

/** Milliseconds; tests shorten them. */
export interface ServiceTimes {
  /** Between two rounds: abandoned jobs, streams that nobody played. */
  readonly round: number;
  /** After this long an announced stream that no player opened will not be played. */
  readonly unplayed: number;
}

const TIMES: ServiceTimes = { round: 10_000, unplayed: 60_000 };

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
    log,
    resumed: inherited.playing,
    onChange: (playing) => {
      save({ playing });
    },
    onEnd: (url) => {
      endSession(proxy, url);
    },
  });
  host.onPlayerEvent(monitor.take);
  // Whoever reads the stream plays it, heard of or not.
  const isRead = (url: string) =>
    proxy.sessions().some(({ id, unusedFor }) => id === sessionId(url) && unusedFor < times.unplayed);
  const isPlayed = (url: string) => url === monitor.current() || isRead(url);
  const unplayed = watchUnplayed(properties, isPlayed, times.unplayed);
  try {
    await properties.set(PROPERTY.proxyToken, proxy.token);
    await properties.set(PROPERTY.proxyPort, String(proxy.port));
    log.info(`the proxy listens on port ${proxy.port}`);
    await every(times.round, signal, async () => {
      await attempt('an unplayed stream could not be withdrawn', async () => {
        const url = await unplayed();
        if (url !== undefined) endSession(proxy, url);
      });
      await attempt('the ledger could not be swept', () => sweepOnce(host, backendOf, log));
    });
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

function endSession(proxy: Proxy, streamUrl: string): void {
  const id = sessionId(streamUrl);
  if (id !== undefined) proxy.endSession(id);
}

/** The session that a URL of ours names; anything may stand in a property that every add-on can write. */
function sessionId(streamUrl: string): string | undefined {
  return URL.canParse(streamUrl) ? new URL(streamUrl).pathname.split('/')[2] : undefined;
}
