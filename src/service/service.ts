import { totalmem } from 'node:os';
import type { Backend } from '../backends/backend.ts';
import { type AbandonedJob, openLedger } from '../backends/ledger.ts';
import type { HostFiles, ServiceHost } from '../host/port.ts';
import { every } from '../io/wait.ts';
import type { Logger } from '../log/index.ts';
import { announced, PROPERTY, readPlan } from '../resolver.ts';
import { openSustainedRate, type Settings } from '../settings/index.ts';
import { type Proxy, startProxy } from '../stream-proxy.ts';
import { rememberBroken } from './broken.ts';
import { followSettings } from './followed-settings.ts';
import { createMonitor, type StreamSource } from './monitor.ts';
import { policiesOf, replacementRuleOf, restartRuleOf } from './policies.ts';
import { relister } from './relist.ts';
import { playAnew, replace, wayOn } from './replacement.ts';
import { Replacement } from './replacement-under-way.ts';
import { keep, resumeKept } from './resume.ts';
import { keepResumePoint } from './resume-point.ts';
import { openSnapshot } from './snapshot.ts';
import { inTurns, sweep } from './sweep.ts';
import { watchUnplayed } from './unplayed.ts';

/** Milliseconds; tests shorten them. */
export interface ServiceTimes {
  /** Between two looks for streams that nobody played, and between two tries to remove an abandoned job. */
  readonly round: number;
  /** After this long an announced stream that no player opened will not be played. */
  readonly unplayed: number;
  /** Between two looks at where the player stands, and for jobs that were just abandoned. */
  readonly look: number;
}

const TIMES: ServiceTimes = { round: 10_000, unplayed: 60_000, look: 1000 };

/** All backends that are set up; given by main, which knows the kinds. */
export type BackendsOf = (
  settings: Settings,
  context: { readonly files: HostFiles; readonly folder: string; readonly log: Logger },
) => Promise<readonly Backend[]>;

/** Runs the service until the host ends: owns the proxy, publishes it, monitors playback, sweeps the ledger. */
export async function runService(
  host: ServiceHost,
  backendsOf: BackendsOf,
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
  const settings = await followSettings(host, log);
  const proxy = await startProxy({
    listen: host.listen,
    log,
    ...proxyChoices(settings.current),
    snapshot: inherited.proxy,
    relist: relister({ settings: () => settings.current, dataFolder: host.dataFolder, log }),
    onSnapshot: (state) => {
      save({ proxy: state });
    },
  });
  settings.follow((current) => {
    proxy.configure(proxyChoices(current));
  });
  /** What goes on beside the monitor; none of it rejects. */
  let tasks: Promise<unknown> = Promise.resolve();
  const begin = (task: Promise<void>) => {
    tasks = Promise.all([tasks, task]);
  };
  /** Films whose place another release is about to take, or should have taken, while they play still. By their URLs. */
  const replacing = new Map<string, Replacement>();
  const monitor = createMonitor({
    properties,
    player: host.player,
    notify: (message) => host.notify(message),
    signal,
    log,
    resumed: inherited.playing,
    rule: () => restartRuleOf(settings.current),
    onChange: (playing) => {
      save({ playing });
    },
    onStopped: (film) => {
      begin(keepResumePoint(film, host.dataFolder, log));
    },
    onEnd: (url) => {
      begin(rememberRate(proxy, url, host.dataFolder, log));
      endSession(proxy, url);
      replacing.get(url)?.filmEnded();
      replacing.delete(url);
    },
    onLost: (film) => {
      const under = replacing.get(film.url);
      if (under !== undefined) return under.goesOn();
      const plan = readPlan(proxy.takePlan(sessionId(film.url) ?? ''));
      if (plan === undefined) return false;
      const isBroken = film.playsStill || isDamaged(proxy, film.url);
      const rule = replacementRuleOf(settings.current);
      const way = wayOn(plan, film, { attempts: rule.attempts, isBroken });
      const context = { host, settings: settings.current, rule, backendsOf, signal, log };
      const replacement = new Replacement();
      if (way !== 'over' && film.playsStill) replacing.set(film.url, replacement);
      const { stopped } = replacement;
      const work = attempt('a lost film could not be replaced', async () => {
        if (isBroken) await rememberBroken(plan, host.dataFolder, log);
        if (way === 'replaced') await replace(film, plan, { ...context, stopped });
        if (way === 'anew') await playAnew(film, host);
      }).finally(() => {
        replacement.isOver = true;
      });
      begin(work);
      return way !== 'over';
    },
    sourceOf: (url, since) => sourceOf(proxy, url, since),
  });
  host.onPlayerEvent((event) => {
    if (event.kind === 'av-started') proxy.shown(sessionId(event.file) ?? '');
    monitor.take(event);
  });
  // Whoever reads the stream plays it, heard of or not.
  const isRead = (url: string) =>
    proxy.sessions().some(({ id, unusedFor }) => id === sessionId(url) && unusedFor < times.unplayed);
  const isPlayed = (url: string) => url === announced(monitor.current()?.url ?? '') || isRead(url);
  // Entries carry their own time of expiry; none is written here.
  const ledger = openLedger(host.dataFolder, 0);
  const sweepDue = inTurns(times.round, (due) => sweepAll(due, host, settings.current, backendsOf, log));
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
      }),
      every(times.look, signal, () =>
        attempt('the ledger could not be swept', async () => sweepDue(await ledger.abandoned())),
      ),
    ]);
    await monitor.close();
    const playing = monitor.current();
    if (playing !== undefined)
      await attempt('what plays could not be kept for an update', () => keep(playing, properties));
  } finally {
    await tasks;
    await proxy.close();
  }
}

const proxyChoices = (settings: Settings) => ({
  policies: policiesOf(settings, totalmem()),
  logsDecisions: settings.log_decisions,
});

async function sweepAll(
  abandoned: readonly AbandonedJob[],
  host: ServiceHost,
  settings: Settings,
  backendsOf: BackendsOf,
  log: Logger,
): Promise<void> {
  const { files, dataFolder: folder } = host;
  for (const backend of await backendsOf(settings, { files, folder, log }))
    await sweep(abandoned, backend, host.aborted, log);
}

/** What the proxy knows of a stream, and whether it has given up the source since then. */
function sourceOf(proxy: Proxy, streamUrl: string, since: number): StreamSource | undefined {
  const session = proxy.sessions().find(({ id }) => id === sessionId(streamUrl));
  const failure = session?.failure;
  if (session === undefined) return undefined;
  const { brokenFrom, size, troubledSince } = session;
  return {
    troubledSince,
    lost: failure !== undefined && failure.at >= since ? failure : undefined,
    brokenFrom: brokenFrom === undefined ? undefined : brokenFrom / size,
  };
}

/** Whether bytes of a stream are proven to be lost. */
const isDamaged = (proxy: Proxy, streamUrl: string) =>
  proxy.sessions().find(({ id }) => id === sessionId(streamUrl))?.failure?.damaged === true;

/** What the connection sustained, for ranking by it (Look.sustained). Never rejects. */
async function rememberRate(proxy: Proxy, streamUrl: string, folder: string, log: Logger): Promise<void> {
  const session = proxy.sessions().find(({ id }) => id === sessionId(streamUrl));
  if (session?.sustained === undefined) return;
  await openSustainedRate(folder)
    .add(session.sustained)
    .catch((error: unknown) => {
      log.warning(`what the connection sustained is not remembered: ${String(error)}`);
    });
}

function endSession(proxy: Proxy, streamUrl: string): void {
  const id = sessionId(streamUrl);
  if (id !== undefined) proxy.endSession(id);
}

/** The session that a URL of ours names; anything may stand in a property that every add-on can write. */
function sessionId(streamUrl: string): string | undefined {
  return URL.canParse(streamUrl) ? new URL(streamUrl).pathname.split('/')[2] : undefined;
}
