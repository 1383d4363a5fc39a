import type { SlipstreamError } from '../errors/index.ts';
import type { HandedOverFilm, Message, PlayerEvent, Properties, ServicePlayer } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import { announce, isSettingUp, maskStreamUrl, PROPERTY, resolver } from '../resolver.ts';
import { type ExplainedFailure, isServerAway } from '../stream-proxy.ts';
import { endings } from './endings.ts';
import { Film } from './film.ts';
import type { LostFilm } from './lost-film.ts';
import type { ExpectedFilm, PlayingFilm, StoppedFilm } from './playback.ts';
import { readPlaybackState, savePlaybackState } from './playback-state.ts';
import { reportServerErrors } from './report-server-errors.ts';
import { decideRestart, RESTART_RULE, type RestartRule } from './restart-rule.ts';
import { type StreamSource, StreamSources } from './stream-sources.ts';

/**
 * Watches the player on behalf of our streams only: the item whose playing file is svc.stream_url. Anything else that
 * plays (another add-on, TMDbHelper's dummy clip) is not ours, and a late stop of one film leaves the next one alone.
 * A film of ours that ends well short of its duration is played again from there (restart-rule.ts).
 */
export interface PlaybackMonitor {
  /** Takes one event; events are worked off one after the other, in their order. */
  readonly handle: (event: PlayerEvent) => void;
  /** Asks the player how far it is; to be called each second or so. Resolves when that is worked off. */
  readonly poll: () => Promise<void>;
  /** Asks the player whether it was stopped while it waits in vain; to be called several times a second. */
  readonly pollForStop: () => Promise<void>;
  /**
   * A stream of ours that had ended is asked for again: it is announced, and watched once the player holds it, which it may
   * already. While another stream is announced or set up it is not announced before that, for the person may want that
   * one by now. @param know Has the media centre know the film again.
   */
  readonly reopened: (url: string, know: () => Promise<void>) => void;
  /** The player is about to be told to begin a film. Call the result when it is not. */
  readonly expect: (film: ExpectedFilm) => () => void;
  /** Watches a film of which it has heard nothing yet, unless it knows a later one. */
  readonly adopt: (film: PlayingFilm) => void;
  /** Whether the film of ours whose end the player has just read to is not over. */
  readonly isBrokenOff: () => boolean;
  /** Our stream that plays now, or that is about to play again. */
  readonly current: () => PlayingFilm | undefined;
  /**
   * The service ends, with the media centre too, which may tell of no stop (kodi.md §1.3): onStopped is called for the
   * film that plays. Resolves when all is worked off.
   */
  readonly close: () => Promise<void>;
  /** Resolves when all events taken so far are worked off. */
  readonly settled: () => Promise<void>;
}

/** Seconds before it comes to what is missing that a film's place is taken: the next release has to be made ready. */
const REPLACE_AHEAD = 120;

/** Milliseconds; tests shorten them. */
export interface MonitorTimes {
  /** After an end a playlist gets this long to start its next film. */
  readonly next: number;
  /** A film that is played again has begun by then, or never will. */
  readonly start: number;
}

const MONITOR_TIMES: MonitorTimes = { next: 500, start: 30_000 };

export interface MonitorOptions {
  readonly properties: Properties;
  readonly player: ServicePlayer;
  readonly notify: (message: Message) => Promise<void>;
  /** Tells that a film has come to its end before its own. */
  readonly reportFailure: (film: LostFilm, failure: SlipstreamError) => Promise<void>;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Called with our stream that plays now, or undefined when none does any more. */
  readonly onChange: (playing: string | undefined) => void;
  /** Called before onEnd, with how far the film has come. */
  readonly onStopped?: (film: StoppedFilm) => void;
  /** Whether the player waits for bytes of a stream that do not come. */
  readonly isStalled?: (streamUrl: string) => boolean;
  /** Called when the player was stopped meanwhile: it tells so, and ends, only once it waits no more (docs/proxy.md). */
  readonly onStopWhileStalled?: (streamUrl: string) => void;
  /** Called when one of our streams has ended, whatever the reason. */
  readonly onEnd: (streamUrl: string) => void;
  /**
   * A stream of ours broke off at `time` (seconds) and is not played on from there, or is about to; true: something else
   * is tried, and tells the person by itself. Called before onEnd.
   */
  readonly onLost?: (film: LostFilm) => boolean;
  /** Called when the player could not open a stream, for what its source failed of: what it says of that itself is to go. */
  readonly onNotOpened?: () => void;
  /** A stream's source; undefined when its session is gone. Each time that it is given up tells of it by another object. */
  readonly sourceOf: (streamUrl: string) => StreamSource | undefined;
  /** What the media centre was told of a stream's film; undefined: nothing any more. */
  readonly findHandedOver: (streamUrl: string) => Promise<HandedOverFilm | undefined>;
  /** Why a stream's server does not answer, asked once; undefined: it does, or there is another reason. */
  readonly checkServer: (streamUrl: string) => Promise<ExplainedFailure | undefined>;
  /** The stream that played when the engine before this one was lost. */
  readonly resumed?: string | undefined;
  /** The one of now. */
  readonly restartRule?: () => RestartRule;
  readonly times?: MonitorTimes;
}

export function createMonitor(options: MonitorOptions): PlaybackMonitor {
  const { properties, player, notify, signal, log, onChange, onEnd } = options;
  const { restartRule: rule = () => RESTART_RULE, times = MONITOR_TIMES, resumed } = options;
  const sources = new StreamSources(options.sourceOf);
  let current = resumed === undefined ? undefined : new Film(resumed);
  /** What the player has begun to open or plays; empty: nothing. */
  let playerFile = '';
  /** The stream that was opened again last. */
  let reopened = '';
  let expected: (ExpectedFilm & { readonly until: number }) | undefined;
  let queue: Promise<void> = Promise.resolve();
  const failedOn = (what: string) => (error: unknown) => {
    if (!signal.aborted) log.error(`the monitor failed on ${what}`, error);
  };

  const begin = async (file: string) => {
    // A playlist's next film begins before the player tells that the one before was over (kodi.md §3.4).
    if (current !== undefined && current.url !== file) await end(isOver(current));
    if (current !== undefined) current.startDeadline = undefined;
    if (file === reopened && (await isNoneAnnounced())) await announce(file, properties);
    const ours = file !== '' && maskStreamUrl(file) === (await properties.get(PROPERTY.streamUrl));
    if (!ours || current !== undefined) return;
    const film = new Film(file);
    await watch(film);
    // It may end before it is looked at.
    const known = await options.findHandedOver(file).catch(failedOn('what is known of a film'));
    if (known !== undefined) film.identify(known);
  };
  const isNoneAnnounced = async () => (await properties.get(PROPERTY.streamUrl)) === '';
  const watch = async (film: Film) => {
    current = film;
    onChange(film.url);
    if (expected?.url === film.url) film.startMessage = expected.startMessage;
    expected = undefined;
    await properties.set(PROPERTY.playing, 'true');
    log.info('our stream plays');
  };
  const end = async (finished = false) => {
    if (current === undefined) return;
    const film = current;
    const { url } = film;
    current = undefined;
    log.info('our stream has ended');
    onChange(undefined);
    options.onStopped?.(stoppedAt(film, { isServed: sources.isServed(film), finished }));
    onEnd(url);
    await forget(url);
  };
  /** Last at an end: when the media centre ends too, its properties may be gone already. */
  const forget = async (url: string) => {
    const clearing = [
      () => properties.clear(PROPERTY.playing),
      () => savePlaybackState(undefined, properties),
      () => resolver.withdraw(url, properties),
    ];
    for (const clear of clearing) await clear().catch(failedOn('what was told of a stream that has ended'));
  };
  /** So little is missing that the player will have read to the end. */
  const isOver = (film: Film) => {
    const { duration } = film.progress;
    const ending = { time: sources.positionOf(film), duration, restarts: 0, lost: false };
    return duration > 0 && decideRestart(rule(), ending).kind === 'finished';
  };
  const {
    onReadToEnd: readToEnd,
    onNotOpened: notOpened,
    onRestartFailed: notPlayedAgain,
  } = endings({
    properties,
    player,
    notify,
    sources,
    signal,
    log,
    rule,
    times,
    end,
    reportFailure: options.reportFailure,
    checkServer: options.checkServer,
    onLost: options.onLost,
    onNotOpened: options.onNotOpened,
  });

  const work = async (event: PlayerEvent) => {
    const { kind, file } = event;
    playerFile = file;
    if (kind === 'started' || kind === 'av-started') {
      await begin(file);
      if (kind === 'av-started' && current !== undefined) await pictured(current);
    } else if (kind === 'seek') {
      if (file === current?.url) current.progress.markSeeked(event.time);
    }
    // While the player still holds our file, the stop was that of an item before it.
    else if (current !== undefined && file !== current.url) await ended(current, kind, file);
  };
  const pictured = async (film: Film) => {
    film.progress.markOpened();
    const { startMessage: greeting } = film;
    film.startMessage = undefined;
    if (greeting !== undefined) await notify(greeting);
  };
  /** @param holds What the player holds by now. */
  const ended = async (film: Film, kind: PlayerEvent['kind'], holds: string) => {
    // An open that fails is told as a stop (kodi.md §3.4): the source tells it from one of the person's.
    const why = film.progress.isOpen || holds !== '' ? undefined : sources.lossOf(film);
    if (why !== undefined) await notOpened(film, why);
    else if (kind === 'ended') await readToEnd(film);
    else await end();
  };
  const look = async () => {
    await lookForExpected();
    if (current === undefined) return;
    await reportServerErrors(current, sources, notify);
    const state = await player.state();
    if (state?.file === current.url) {
      current.update(state, rule().progress);
      await savePlaybackState(current, properties);
      replaceInTime(current);
    } else if (current.startDeadline !== undefined && performance.now() > current.startDeadline) {
      await notPlayedAgain(current);
    }
  };
  const lookForStop = async () => {
    if (current === undefined || !current.progress.isOpen || current.startDeadline !== undefined) return;
    const { url } = current;
    if (options.isStalled?.(url) === true && (await player.state()) === undefined)
      options.onStopWhileStalled?.(url);
  };
  const lookForExpected = async () => {
    if (expected === undefined || performance.now() <= expected.until) return;
    const { onNotStarted: notBegun } = expected;
    expected = undefined;
    await notBegun();
  };
  /** Parts of the film are missing further on: another release takes its place before it comes there. */
  const replaceInTime = (film: Film) => {
    const { duration } = film.progress;
    const time = sources.positionOf(film);
    const { brokenFrom: from, trouble } = sources.of(film) ?? {};
    // Nothing else would come from a server that is away.
    if (isServerAway(trouble)) return;
    if (film.isBeingReplaced || from === undefined || time + REPLACE_AHEAD < from * duration) return;
    film.isBeingReplaced = true;
    options.onLost?.(film.toLostFilm({ time, isStillPlaying: true }));
  };
  const inTurn = (what: string, task: () => Promise<void>) => {
    queue = queue.then(task).catch(failedOn(what));
  };

  if (resumed !== undefined)
    inTurn('what the engine before knew', async () => {
      const known = await readPlaybackState(resumed, properties);
      if (known !== undefined && current?.url === resumed) current.restore(known);
    });

  return {
    handle: (event) => {
      inTurn(event.kind, () => work(event));
    },
    expect: (film) => {
      const now = { ...film, until: performance.now() + times.start };
      expected = now;
      return () => {
        if (expected === now) expected = undefined;
      };
    },
    reopened: (url, know) => {
      inTurn('a stream that is played once more', async () => {
        reopened = url;
        await know().catch(failedOn('what the media centre is to know again'));
        if (playerFile === url) await begin(url);
        else if ((await isNoneAnnounced()) && !(await isSettingUp(properties)))
          await announce(url, properties);
      });
    },
    adopt: ({ url, origin, time, mark }) => {
      inTurn('a film that plays on', async () => {
        if (current !== undefined) return;
        await announce(url, properties);
        const film = new Film(url, origin);
        film.mark = mark;
        film.progress.restore({ time, duration: 0, isOpen: true });
        await watch(film);
      });
    },
    poll: () => {
      inTurn('a look', look);
      return queue;
    },
    pollForStop: () => {
      inTurn('a look for a stop', lookForStop);
      return queue;
    },
    isBrokenOff: () => current !== undefined && current.progress.duration > 0 && !isOver(current),
    current: () =>
      current && {
        url: current.url,
        origin: current.origin,
        time: sources.positionOf(current),
        mark: current.mark,
      },
    close: () => {
      inTurn('its end', async () => {
        if (current === undefined) return;
        options.onStopped?.(stoppedAt(current, { isServed: sources.isServed(current), finished: false }));
        await savePlaybackState(undefined, properties);
      });
      return queue;
    },
    settled: () => queue,
  };
}

function stoppedAt(
  { progress, mark }: Film,
  { isServed, finished }: { readonly isServed: boolean; readonly finished: boolean },
): StoppedFilm {
  return { time: progress.position(isServed), duration: progress.duration, isFinished: finished, mark };
}
