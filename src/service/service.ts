import { totalmem } from 'node:os';
import { type AbandonedJob, openLedger } from '../backends/ledger.ts';
import type { BackendsOf } from '../connections/backends.ts';
import { shareHeaders } from '../connections/backends.ts';
import type { SlipstreamError } from '../errors/index.ts';
import type { HandedOverFilms, ServiceHost } from '../host/port.ts';
import { repeatEvery } from '../io/wait.ts';
import { openThroughputStore } from '../library/index.ts';
import { type Logger, withRecentLines } from '../log/index.ts';
import { createRelist, lowerActive, maskStreamUrl, PROPERTY } from '../resolver.ts';
import { type Settings } from '../settings/index.ts';
import { type RunningProxy, startProxy } from '../stream-proxy.ts';
import { LastOpened } from './last-opened.ts';
import { openLiveSettings } from './live-settings.ts';
import { createMonitor } from './monitor.ts';
import { openPlayedFilms, type PlayedFilms } from './played-films.ts';
import { policiesOf, restartRuleOf } from './policies.ts';
import { Replacements } from './replacements.ts';
import { parseNotes, replayRefused, replayUnknown, reportRefusal } from './replay-refused.ts';
import { type EndedFilm, reportFilmFailure } from './report-film-failure.ts';
import { keepPlayback, resumeKeptPlayback, takeKeptPlayback } from './resume-after-update.ts';
import { saveResumePoint } from './resume-point.ts';
import { sessionId } from './session-id.ts';
import { openSnapshot } from './snapshot.ts';
import { StartedStreams } from './started-streams.ts';
import type { StreamSource } from './stream-sources.ts';
import { sweepJobs, sweepWhenDue, unplayedJobs } from './sweep-jobs.ts';
import { watchUnplayed } from './watch-unplayed.ts';

/** Milliseconds; tests shorten them. */
export interface ServiceTimes {
  /** Between two looks for streams that nobody played, and between two tries to remove an abandoned job. */
  readonly round: number;
  /** After this long an announced stream that no player opened will not be played. */
  readonly unplayed: number;
  /** Between two looks at where the player stands, and for jobs that were just abandoned. */
  readonly look: number;
  /** Between two looks whether the player was stopped while it waits for bytes. */
  readonly stop: number;
}

const TIMES: ServiceTimes = { round: 10_000, unplayed: 60_000, look: 1000, stop: 250 };

/** Runs the service until the host ends: owns the proxy, publishes it, monitors playback, sweeps the ledger. */
export async function runService(
  host: ServiceHost,
  backendsOf: BackendsOf,
  given: Logger,
  times: ServiceTimes = TIMES,
): Promise<void> {
  const { log, lines } = withRecentLines(given);
  const { properties, aborted: signal } = host;
  // Nothing that goes wrong in a round may end the service, and the film with it.
  const attempt = <T>(what: string, work: () => Promise<T>) =>
    work().catch((error: unknown) => {
      if (!signal.aborted) log.error(what, error);
      return undefined;
    });
  const { inherited, save } = openSnapshot(host, log);
  /** What goes on beside the monitor; none of it rejects. */
  const tasks = new Set<Promise<unknown>>();
  const begin = (task: Promise<unknown>) => {
    const work = task.finally(() => tasks.delete(work));
    tasks.add(work);
  };
  const failed = (film: EndedFilm, failure: SlipstreamError) =>
    reportFilmFailure(film, failure, { host, log, lines });
  const begun = new StartedStreams();
  if (inherited.playing !== undefined) begun.add(inherited.playing);
  /** Streams whose refusal is told, or whose film is about to be started anew. */
  const refused = new Set<string>();
  const onRefused = (url: string, work: () => Promise<void>) => {
    // The player may ask more than once before it gives up.
    if (refused.has(url)) return;
    refused.add(url);
    const task = attempt('what comes of a stream that was refused', work);
    begin(task.finally(() => refused.delete(url)));
  };
  const played = await openPlayedFilms(host);
  const lastBegun = new LastOpened();
  const settings = await openLiveSettings(host, log);
  const proxy = await startProxy({
    listen: host.listen,
    log,
    ...proxyOptions(settings.current),
    snapshot: inherited.proxy,
    relist: createRelist({ settings: () => settings.current, dataFolder: host.dataFolder, log }),
    onSnapshot: (state) => {
      save({ proxy: state });
    },
    onStreamRefused: () => {
      host.streamRefused();
    },
    credentials: (url) => Promise.resolve(shareHeaders(settings.current, url)),
    onReopened: ({ url, notes }) => {
      monitor.reopened(url, async () => {
        const film = parseNotes(notes);
        if (film !== undefined) await host.films.restore(url, film);
      });
    },
    onReopenFailed: ({ url, notes, error: why, isFileGone: isGone }) => {
      const film = parseNotes(notes);
      onRefused(url, () =>
        isGone && film !== undefined
          ? replayRefused(url, film, { host, signal, log, reportFailure: failed })
          : reportRefusal(film, why, { reportFailure: failed, signal }),
      );
    },
    onUnknownStream: (url) => {
      const asked = performance.now();
      // Anybody may ask, and the film that played during an update is seen to (resume-after-update.ts).
      const isWanted = () => lastBegun.matches(url, asked);
      const film = played.of(sessionId(url) ?? '');
      onRefused(url, () => replayUnknown(url, film, { host, signal, log, reportFailure: failed, isWanted }));
    },
  });
  settings.subscribe((current) => {
    proxy.configure(proxyOptions(current));
  });
  const replacements = new Replacements({
    host,
    backendsOf,
    signal,
    log,
    failed,
    begin,
    settings: () => settings.current,
    monitor: () => monitor,
    takePlan: (url) => proxy.takePlan(sessionId(url) ?? ''),
    isDamaged: (url) => isDamaged(proxy, url),
  });
  const monitor = createMonitor({
    properties,
    player: host.player,
    notify: (message) => host.notify(message),
    signal,
    log,
    resumed: inherited.playing,
    restartRule: () => restartRuleOf(settings.current),
    onChange: (playing) => {
      save({ playing });
      if (playing === undefined) return;
      begun.add(playing);
      begin(
        attempt('what plays could not be noted', () =>
          noteFilm(playing, { proxy, played, films: host.films }),
        ),
      );
    },
    onStopped: (film) => {
      begin(saveResumePoint(film, host.dataFolder, log));
    },
    isStalled: (url) => proxy.hasStalledRequests(sessionId(url) ?? ''),
    onStopWhileStalled: (url) => {
      proxy.abortStalledRequests(sessionId(url) ?? '');
    },
    onEnd: (url) => {
      begin(rememberRate(proxy, url, host.dataFolder, log));
      endSession(proxy, url);
      replacements.onEnded(url);
    },
    onLost: (film) => replacements.onLost(film),
    reportFailure: failed,
    onNotOpened: () => {
      host.streamRefused();
    },
    findHandedOver: (url) => host.films.of(url),
    checkServer: (url) => proxy.checkServer(sessionId(url) ?? ''),
    sourceOf: (url) => sourceOf(proxy, url),
  });
  host.onPlayerEvent((event) => {
    if (event.kind === 'av-started') proxy.firstFrameShown(sessionId(event.file) ?? '');
    if (event.kind === 'started') {
      proxy.playbackStarted(sessionId(event.file) ?? '');
      lastBegun.add(event.file);
    }
    monitor.handle(event);
  });
  host.onPlayedToEnd(monitor.isBrokenOff);
  // Whoever reads the stream plays it, heard of or not.
  const isRead = (url: string) =>
    proxy.sessions().some(({ id, unusedFor }) => id === sessionId(url) && unusedFor < times.unplayed);
  const isPlayed = (url: string) => url === maskStreamUrl(monitor.current()?.url ?? '') || isRead(url);
  // Entries carry their own time of expiry; none is written here.
  const ledger = openLedger(host.dataFolder, 0);
  const sweepDue = sweepWhenDue(times.round, (due) => sweepAll(due, host, settings.current, backendsOf, log));
  const streams = {
    announced: () => properties.get(PROPERTY.streamUrl),
    hasBegun: (stream: string) => begun.has(stream),
  };
  const unplayed = watchUnplayed(properties, isPlayed, times.unplayed);
  try {
    // Before anybody here can play: a film of another profile has been stopped by then.
    const kept = await attempt('what played before could not be seen to', () => takeKeptPlayback(host));
    await properties.set(PROPERTY.proxyToken, proxy.token);
    await properties.set(PROPERTY.proxyPort, String(proxy.port));
    log.info(`the proxy listens on port ${proxy.port}`);
    await attempt('what played before an update could not be resumed', async () => {
      const film = kept !== undefined ? await resumeKeptPlayback(kept, host, failed) : undefined;
      if (film !== undefined) monitor.adopt(film);
    });
    await Promise.all([
      repeatEvery(times.look, signal, monitor.poll),
      repeatEvery(times.stop, signal, monitor.pollForStop),
      repeatEvery(times.look, signal, () =>
        attempt('svc.active could not be lowered', () => lowerActive(properties)),
      ),
      repeatEvery(times.round, signal, async () => {
        await attempt('an unplayed stream could not be withdrawn', async () => {
          const url = await unplayed();
          if (url === undefined) return;
          endSession(proxy, url);
          await host.films.forget(url);
        });
      }),
      repeatEvery(times.look, signal, () =>
        attempt('the ledger could not be swept', async () =>
          sweepDue(await unplayedJobs(await ledger.abandoned(), streams)),
        ),
      ),
    ]);
    await monitor.close();
    const playing = monitor.current();
    if (playing !== undefined)
      await attempt('what plays could not be kept for an update', () => keepPlayback(playing, host));
  } finally {
    await Promise.all(tasks);
    await proxy.close();
  }
}

const proxyOptions = (settings: Settings) => ({
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
    await sweepJobs(abandoned, backend, host.aborted, log);
}

function sourceOf(proxy: RunningProxy, streamUrl: string): StreamSource | undefined {
  const session = proxy.sessions().find(({ id }) => id === sessionId(streamUrl));
  if (session === undefined) return undefined;
  const { brokenFrom, size, trouble, failure } = session;
  return {
    trouble,
    lost: failure,
    brokenFrom: brokenFrom === undefined ? undefined : brokenFrom / size,
  };
}

/** Whether bytes of a stream are proven to be lost. */
const isDamaged = (proxy: RunningProxy, streamUrl: string) =>
  proxy.sessions().find(({ id }) => id === sessionId(streamUrl))?.failure?.damaged === true;

/** What the connection sustained, for ranking by it (Look.sustained). Never rejects. */
async function rememberRate(
  proxy: RunningProxy,
  streamUrl: string,
  folder: string,
  log: Logger,
): Promise<void> {
  const session = proxy.sessions().find(({ id }) => id === sessionId(streamUrl));
  if (session?.sustained === undefined) return;
  await openThroughputStore(folder)
    .add(session.sustained)
    .catch((error: unknown) => {
      log.warning(`what the connection sustained is not remembered: ${String(error)}`);
    });
}

interface NoteContext {
  readonly proxy: RunningProxy;
  readonly played: PlayedFilms;
  readonly films: HandedOverFilms;
}

/** The film is known by it when its stream is asked for after its end. */
async function noteFilm(streamUrl: string, { proxy, played, films }: NoteContext): Promise<void> {
  const film = await films.of(streamUrl);
  const id = sessionId(streamUrl);
  if (film === undefined || id === undefined) return;
  proxy.setNotes(id, film);
  await played.add(id, film);
}

function endSession(proxy: RunningProxy, streamUrl: string): void {
  const id = sessionId(streamUrl);
  if (id !== undefined) proxy.endSession(id);
}
