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

/** Milliseconds between two rounds: abandoned jobs, streams that nobody played. */
const ROUND_MS = 10_000;

/** The backend that the settings name, or undefined while none is set up; given by main, which knows the kinds. */
export type BackendOf = (settings: Settings, log: Logger) => Backend | undefined;

/** Runs the service until the host ends: owns the proxy, publishes it, monitors playback, sweeps the ledger. */
export async function runService(host: ServiceHost, backendOf: BackendOf, log: Logger): Promise<void> {
  const { properties, aborted: signal } = host;
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
  const unplayed = watchUnplayed(properties, monitor.current);
  try {
    await properties.set(PROPERTY.proxyToken, proxy.token);
    await properties.set(PROPERTY.proxyPort, String(proxy.port));
    log.info(`the proxy listens on port ${proxy.port}`);
    await every(ROUND_MS, signal, async () => {
      const url = await unplayed();
      if (url !== undefined) endSession(proxy, url);
      await sweepOnce(host, backendOf, log);
    });
  } finally {
    await proxy.close();
  }
}

async function sweepOnce(host: ServiceHost, backendOf: BackendOf, log: Logger): Promise<void> {
  try {
    // Entries carry their own time of expiry; none is written here.
    const ledger = openLedger(host.dataFolder, 0);
    const abandoned = await ledger.abandoned();
    if (abandoned.length === 0) return;
    const settings = parseSettings(await host.readSettings(SETTING_IDS));
    await sweep(abandoned, backendOf(settings, log), host.aborted, log);
  } catch (error) {
    if (!host.aborted.aborted) log.error('the ledger could not be swept', error);
  }
}

function endSession(proxy: Proxy, streamUrl: string): void {
  const [, , id] = new URL(streamUrl).pathname.split('/');
  if (id !== undefined) proxy.endSession(id);
}
