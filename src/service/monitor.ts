import type { Explanation } from '../errors/index.ts';
import type { PlayerEvent, Properties, ServicePlayer } from '../host/port.ts';
import { pause } from '../io/wait.ts';
import type { Logger } from '../log/index.ts';
import { announced, isOwnStream, PROPERTY, withdraw } from '../resolver.ts';
import { Progress } from './progress.ts';
import type { LostFilm } from './replacement.ts';
import { decideRestart, RESTART_RULE, type RestartRule } from './restart.ts';
import { brokeOff, goesOn, serverInTrouble, serverWaitOver } from './words.ts';

/**
 * Watches the player on behalf of our streams only: the item whose playing file is svc.stream_url. Anything else that
 * plays (another add-on, TMDbHelper's dummy clip) is not ours, and a late stop of one film leaves the next one alone.
 * A film of ours that ends well short of its duration is played again from there (restart.ts).
 */
export interface PlaybackMonitor {
  /** Takes one event; events are worked off one after the other, in their order. */
  readonly take: (event: PlayerEvent) => void;
  /** Asks the player how far it is; to be called each second or so. Resolves when that is worked off. */
  readonly look: () => Promise<void>;
  /** Watches a film of which it has heard nothing yet, unless it knows a later one. */
  readonly adopt: (film: Playing) => void;
  /** Our stream that plays now, or that is about to play again. */
  readonly current: () => Playing | undefined;
  /**
   * The service ends, maybe with the media centre, which then tells of no stop (kodi21.md): onStopped is called for the
   * film that plays. Resolves when all is worked off.
   */
  readonly close: () => Promise<void>;
  /** Resolves when all events taken so far are worked off. */
  readonly settled: () => Promise<void>;
}

export interface Playing {
  readonly url: string;
  /** What starts the film anew, from the search on; empty while nobody knows. */
  readonly origin: string;
  /** Seconds. */
  readonly time: number;
}

/** How a film of ours ended. */
export interface Stopped {
  /** Where the player stood last, and the film's length; 0 when nobody knows. Seconds. */
  readonly time: number;
  readonly duration: number;
  /** It was read to its own end. */
  readonly finished: boolean;
  /** PlayItem.mark; empty when there is none. */
  readonly mark: string;
}

/** What the proxy knows of a stream. */
export interface StreamSource {
  /** Why it was given up, in the person's words; undefined while it is not. */
  readonly lost?: Explanation | undefined;
  /** The part of the file (0 to 1) from which on so much is missing that it cannot be played; undefined: none. */
  readonly brokenFrom?: number | undefined;
  /** Since when its server has trouble of its own, in milliseconds since the epoch; undefined: it has none. */
  readonly troubledSince?: number | undefined;
}

/** Seconds before it comes to what is missing that a film's place is taken: the next release has to be made ready. */
const IN_TIME = 120;

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
  readonly notify: (message: Explanation) => Promise<void>;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Called with our stream that plays now, or undefined when none does any more. */
  readonly onChange: (playing: string | undefined) => void;
  /** Called before onEnd, with how far the film has come. */
  readonly onStopped?: (film: Stopped) => void;
  /** Called when one of our streams has ended, whatever the reason. */
  readonly onEnd: (streamUrl: string) => void;
  /**
   * A stream of ours broke off at `time` (seconds) and is not played on from there, or is about to; true: something else
   * is tried, and tells the person by itself. Called before onEnd.
   */
  readonly onLost?: (film: LostFilm) => boolean;
  /** A stream's source since `since` (milliseconds since the epoch); undefined when its session is gone. */
  readonly sourceOf: (streamUrl: string, since: number) => StreamSource | undefined;
  /** The stream that played when the engine before this one was lost. */
  readonly resumed?: string | undefined;
  /** The one of now. */
  readonly rule?: () => RestartRule;
  readonly times?: MonitorTimes;
}

class Film implements Playing {
  readonly url: string;
  readonly progress = new Progress();
  origin: string;
  /** PlayItem.mark, as far as it is known. */
  mark = '';
  /** When it began last, in milliseconds since the epoch. */
  begun = Date.now();
  /** Another release has been asked for, because parts of this one are missing further on. */
  isGivenUp = false;
  /** The trouble of its server that the person has been told of, until they are told that it is over. */
  trouble: { readonly since: number; isOver: boolean } | undefined;
  /** Set while it is to be played again and has not begun yet: when that counts as failed. */
  startsBy: number | undefined;

  constructor(url: string, origin = '') {
    this.url = url;
    this.origin = origin;
  }

  get time(): number {
    return this.progress.time;
  }
}

export function createMonitor(options: MonitorOptions): PlaybackMonitor {
  const { properties, player, signal, log, onChange, onEnd, sourceOf } = options;
  const { rule = () => RESTART_RULE, times = MONITOR_TIMES, resumed } = options;
  let current = resumed === undefined ? undefined : new Film(resumed);
  let queue: Promise<void> = Promise.resolve();

  const begin = async (file: string) => {
    const ours = file !== '' && announced(file) === (await properties.get(PROPERTY.streamUrl));
    // A playlist's next film begins before the player tells that the one before was over (kodi21.md).
    if (current !== undefined && current.url !== file) await end(isOver(rule(), current.progress));
    if (current !== undefined) current.startsBy = undefined;
    if (!ours || current !== undefined) return;
    current = new Film(file);
    onChange(file);
    await properties.set(PROPERTY.playing, 'true');
    log.info('our stream plays');
  };
  const end = async (finished = false) => {
    if (current === undefined) return;
    const film = current;
    const { url } = film;
    current = undefined;
    await properties.clear(PROPERTY.playing);
    await withdraw(url, properties);
    log.info('our stream has ended');
    onChange(undefined);
    tellStopped(film, finished);
    onEnd(url);
  };
  const tellStopped = ({ progress: { time, duration }, mark }: Film, finished: boolean) => {
    options.onStopped?.({ time, duration, finished, mark });
  };

  /** The player read to an end that nobody asked for: the film's, or that of what came of it. */
  const readToEnd = async (film: Film) => {
    const { time, duration, restarts } = film.progress;
    const source = sourceOf(film.url, film.begun);
    const verdict = decideRestart(rule(), { time, duration, restarts, lost: source?.lost !== undefined });
    // Of a film whose length nobody knew it cannot be told whether that was its end.
    if (verdict.kind === 'finished') return end(duration > 0);
    log.warning(`our stream broke off at ${Math.round(time)} s of ${Math.round(duration)} s`);
    // Without a session there is still the way from the search on; what the player opens by itself it can open again.
    const url = source !== undefined ? film.url : isOwnStream(film.url) ? film.origin : '';
    if (verdict.kind === 'give-up' || url === '') {
      const { origin, mark } = film;
      const lost: LostFilm = { url: film.url, origin, time, mark, playsStill: false };
      const goesOn = options.onLost?.(lost) === true;
      await end();
      if (goesOn) return;
      return options.notify(brokeOff(time, source?.lost));
    }
    await pause(times.next, signal);
    if ((await player.state()) !== undefined) return end();
    return playAgain(film, url, verdict.position);
  };
  const playAgain = async (film: Film, url: string, position: number) => {
    if (url === film.url) {
      film.progress.restartedAt(position);
      film.begun = Date.now();
      film.startsBy = performance.now() + times.start;
    } else {
      await end();
    }
    log.info(`our stream is played again from ${Math.round(position)} s`);
    try {
      await player.play(url, position);
    } catch (error) {
      await end();
      throw error;
    }
    await options.notify(goesOn(position));
  };

  const work = async (event: PlayerEvent) => {
    const { kind, file } = event;
    if (kind === 'started' || kind === 'av-started') await begin(file);
    else if (kind === 'seek') {
      if (file === current?.url) current.progress.sought(event.time);
    }
    // While the player still holds our file, the stop was that of an item before it.
    else if (file === '' || file !== current?.url) {
      if (kind === 'ended' && current !== undefined) await readToEnd(current);
      else await end();
    }
  };
  const look = async () => {
    if (current === undefined) return;
    await tellTrouble(current);
    const state = await player.state();
    if (state?.file === current.url) {
      current.progress.seen(state, rule().progress);
      current.origin = state.origin || current.origin;
      current.mark = state.mark || current.mark;
      replaceInTime(current);
    } else if (current.startsBy !== undefined && performance.now() > current.startsBy) {
      await end();
    }
  };
  const tellTrouble = async (film: Film) => {
    const { troubledSince, lost } = sourceOf(film.url, film.begun) ?? {};
    const { trouble } = film;
    if (troubledSince !== undefined) {
      if (trouble?.since === troubledSince) return;
      film.trouble = { since: troubledSince, isOver: false };
      return options.notify(serverInTrouble);
    }
    // Why it was given up, if it was, may be known a moment later.
    if (trouble?.isOver === false) trouble.isOver = true;
    else if (trouble !== undefined) {
      film.trouble = undefined;
      if (lost === undefined) await options.notify(serverWaitOver);
    }
  };
  /** Parts of the film are missing further on: another release takes its place before it comes there. */
  const replaceInTime = (film: Film) => {
    const { time, duration } = film.progress;
    const from = sourceOf(film.url, film.begun)?.brokenFrom;
    if (film.isGivenUp || from === undefined || time + IN_TIME < from * duration) return;
    film.isGivenUp = true;
    const { url, origin, mark } = film;
    options.onLost?.({ url, origin, time, mark, playsStill: true });
  };
  const inTurn = (what: string, task: () => Promise<void>) => {
    queue = queue.then(task).catch((error: unknown) => {
      if (!signal.aborted) log.error(`the monitor failed on ${what}`, error);
    });
  };

  return {
    take: (event) => {
      inTurn(event.kind, () => work(event));
    },
    adopt: ({ url, origin }) => {
      current ??= new Film(url, origin);
    },
    look: () => {
      inTurn('a look', look);
      return queue;
    },
    current: () => current,
    close: () => {
      inTurn('its end', () => {
        if (current !== undefined) tellStopped(current, false);
        return Promise.resolve();
      });
      return queue;
    },
    settled: () => queue,
  };
}

/** So little is missing that the player will have read to the end. */
function isOver(rule: RestartRule, { time, duration }: Progress): boolean {
  return (
    duration > 0 && decideRestart(rule, { time, duration, restarts: 0, lost: false }).kind === 'finished'
  );
}
