import { type ErrorCode, type Explanation, SlipstreamError } from '../errors/index.ts';
import type { Message, Properties, ServicePlayer } from '../host/port.ts';
import { pause } from '../io/wait.ts';
import type { Logger } from '../log/index.ts';
import { announced, isOwnStream } from '../resolver.ts';
import type { ToldFailure } from '../stream-proxy.ts';
import { isBusy } from './busy.ts';
import type { Film } from './film.ts';
import type { LostFilm } from './lost-film.ts';
import { keepPlace } from './place.ts';
import { playAnew } from './play-anew.ts';
import { decideRestart, type RestartRule } from './restart.ts';
import { isOffered, releaseOf } from './resume-point.ts';
import type { Sources } from './sources.ts';
import { brokeOff, endedAway, goesOn, notOpened, notPlayedAgain } from './words.ts';

export interface EndingContext {
  readonly properties: Properties;
  readonly player: ServicePlayer;
  readonly notify: (message: Message) => Promise<void>;
  readonly sources: Sources;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly rule: () => RestartRule;
  /** MonitorTimes */
  readonly times: { readonly next: number; readonly start: number };
  /** The film that plays, or is about to play again, has ended. */
  readonly end: (finished?: boolean) => Promise<void>;
  /** As those of MonitorOptions. */
  readonly failed: (film: LostFilm, failure: SlipstreamError) => Promise<void>;
  readonly onLost?: ((film: LostFilm) => boolean) | undefined;
  readonly unanswered: (streamUrl: string) => Promise<ToldFailure | undefined>;
  readonly onNotOpened?: (() => void) | undefined;
}

/** What comes of a film of ours that has ended though nobody asked for that: it goes on, or it is told why it does not. */
export interface Endings {
  /** The player read to an end: the film's, or that of what came of it. */
  readonly readToEnd: (film: Film) => Promise<void>;
  /** The player could not open it, for what its source failed of. */
  readonly notOpened: (film: Film, why: ToldFailure) => Promise<void>;
  /** It was to be played again, and the player has not begun it, whatever that failed of. */
  readonly notPlayedAgain: (film: Film, cause?: unknown) => Promise<void>;
}

export function endings(context: EndingContext): Endings {
  const { properties, player, sources, signal, log, rule, times, end } = context;

  const readToEnd = async (film: Film) => {
    const { duration, restarts } = film.progress;
    const time = sources.placeOf(film);
    const lost = sources.lostOf(film);
    const verdict = decideRestart(rule(), { time, duration, restarts, lost: lost !== undefined });
    // Of a film whose length nobody knew it cannot be told whether that was its end.
    if (verdict.kind === 'finished') return end(duration > 0);
    log.warning(`our stream broke off at ${Math.round(time)} s of ${Math.round(duration)} s`);
    // A server that is away is asked once, and for nothing else: neither the film nor another release comes from it.
    const away = sources.isServed(film) ? undefined : await context.unanswered(film.url);
    if (away !== undefined)
      return endFailed(film, away.code, endedAway(time, away, isOffered(film.mark, time)));
    // Without a session there is still the way from the search on; what the player opens by itself it can open again.
    const hasSession = sources.of(film) !== undefined;
    const isPlayable = hasSession || (isOwnStream(film.url) && film.origin !== '');
    if (verdict.kind === 'give-up' || !isPlayable) {
      if (context.onLost?.(film.lost({ time, playsStill: false })) === true) return end();
      return endFailed(film, lost?.code ?? 'PREPARE_FAILED', brokeOff(time, lost));
    }
    await pause(times.next, signal);
    if ((await player.state()) !== undefined) return end();
    return playAgain(film, hasSession, verdict.position);
  };

  const playAgain = async (film: Film, hasSession: boolean, position: number) => {
    log.info(`our stream is played again from ${Math.round(position)} s`);
    try {
      if (hasSession) {
        film.playedAgainFrom(position, sources.lostOf(film), performance.now() + times.start);
        await keepPlace(film, properties);
        await player.play(film.url, position);
      } else {
        await end();
        await playAnew(film.origin, { position, release: releaseOf(film.mark) }, player);
        await context.notify(goesOn(position));
      }
    } catch (error) {
      await notPlayedAgainFor(film, error);
    }
  };

  const notPlayedAgainFor = async (film: Film, cause?: unknown) => {
    // The player refuses also because the person was quicker.
    if (await isBusy({ player, properties }, new Set([announced(film.url)]))) return end();
    const time = sources.placeOf(film);
    await endFailed(film, 'HOST_FAILED', notPlayedAgain(time, isOffered(film.mark, time)), cause);
  };

  const endFailed = async (film: Film, code: ErrorCode, told: Explanation, cause?: unknown) => {
    const lost = film.lost({ time: sources.placeOf(film), playsStill: false });
    await end();
    await context.failed(lost, new SlipstreamError(code, told, { cause }));
    player.giveBackQueue();
  };

  return {
    readToEnd,
    notOpened: async (film, why) => {
      context.onNotOpened?.();
      // It was on its way again by itself, and ends as it would have where the player had come further.
      if (film.progress.hasBegun) await readToEnd(film);
      else await endFailed(film, why.code, notOpened(why));
    },
    notPlayedAgain: notPlayedAgainFor,
  };
}
