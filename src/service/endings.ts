import { type ErrorCode, type Explanation, SlipstreamError } from '../errors/index.ts';
import { isOwnStreamUrl } from '../host/own-stream-url.ts';
import type { Message, Properties, ServicePlayer } from '../host/port.ts';
import { pause } from '../io/wait.ts';
import type { Logger } from '../log/index.ts';
import { maskStreamUrl } from '../resolver.ts';
import type { ExplainedFailure } from '../stream-proxy.ts';
import type { Film } from './film.ts';
import { isBusy } from './is-busy.ts';
import type { LostFilm } from './lost-film.ts';
import { brokeOff, endedServerAway, notOpened, restarted, restartFailed } from './messages.ts';
import { savePlaybackState } from './playback-state.ts';
import { replayFilm } from './replay.ts';
import { decideRestart, type RestartRule } from './restart-rule.ts';
import { isResumable, releaseOf } from './resume-point.ts';
import type { StreamSources } from './stream-sources.ts';

export interface EndingContext {
  readonly properties: Properties;
  readonly player: ServicePlayer;
  readonly notify: (message: Message) => Promise<void>;
  readonly sources: StreamSources;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly rule: () => RestartRule;
  /** MonitorTimes */
  readonly times: { readonly next: number; readonly start: number };
  /** The film that plays, or is about to play again, has ended. */
  readonly end: (finished?: boolean) => Promise<void>;
  /** As those of MonitorOptions. */
  readonly reportFailure: (film: LostFilm, failure: SlipstreamError) => Promise<void>;
  readonly onLost?: ((film: LostFilm) => boolean) | undefined;
  readonly checkServer: (streamUrl: string) => Promise<ExplainedFailure | undefined>;
  readonly onNotOpened?: (() => void) | undefined;
}

/** What comes of a film of ours that has ended though nobody asked for that: it goes on, or it is told why it does not. */
export interface Endings {
  /** The player read to an end: the film's, or that of what came of it. */
  readonly onReadToEnd: (film: Film) => Promise<void>;
  /** The player could not open it, for what its source failed of. */
  readonly onNotOpened: (film: Film, why: ExplainedFailure) => Promise<void>;
  /** It was to be played again, and the player has not begun it, whatever that failed of. */
  readonly onRestartFailed: (film: Film, cause?: unknown) => Promise<void>;
}

export function endings(context: EndingContext): Endings {
  const { properties, player, sources, signal, log, rule, times, end } = context;

  const readToEnd = async (film: Film) => {
    const { duration, restarts } = film.progress;
    const time = sources.positionOf(film);
    const lost = sources.lossOf(film);
    const verdict = decideRestart(rule(), { time, duration, restarts, lost: lost !== undefined });
    // Of a film whose length nobody knew it cannot be told whether that was its end.
    if (verdict.kind === 'finished') return end(duration > 0);
    log.warning(`our stream broke off at ${Math.round(time)} s of ${Math.round(duration)} s`);
    // A server that is away is asked once, and for nothing else: neither the film nor another release comes from it.
    const away = sources.isServed(film) ? undefined : await context.checkServer(film.url);
    if (away !== undefined)
      return endFailed(film, away.code, endedServerAway(time, away, isResumable(film.mark, time)));
    // Without a session there is still the way from the search on; what the player opens by itself it can open again.
    const hasSession = sources.of(film) !== undefined;
    const isPlayable = hasSession || (isOwnStreamUrl(film.url) && film.origin !== '');
    if (verdict.kind === 'give-up' || !isPlayable) {
      if (context.onLost?.(film.toLostFilm({ time, isStillPlaying: false })) === true) return end();
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
        film.restartFrom(position, sources.lossOf(film), performance.now() + times.start);
        await savePlaybackState(film, properties);
        await player.play(film.url, position);
      } else {
        await end();
        await replayFilm(film.origin, { position, release: releaseOf(film.mark) }, player);
        await context.notify(restarted(position));
      }
    } catch (error) {
      await notPlayedAgainFor(film, error);
    }
  };

  const notPlayedAgainFor = async (film: Film, cause?: unknown) => {
    // The player refuses also because the person was quicker.
    if (await isBusy({ player, properties }, new Set([maskStreamUrl(film.url)]))) return end();
    const time = sources.positionOf(film);
    await endFailed(film, 'HOST_FAILED', restartFailed(time, isResumable(film.mark, time)), cause);
  };

  const endFailed = async (film: Film, code: ErrorCode, told: Explanation, cause?: unknown) => {
    const lost = film.toLostFilm({ time: sources.positionOf(film), isStillPlaying: false });
    await end();
    await context.reportFailure(lost, new SlipstreamError(code, told, { cause }));
    player.releaseQueue();
  };

  return {
    onReadToEnd: readToEnd,
    onNotOpened: async (film, why) => {
      context.onNotOpened?.();
      // It was on its way again by itself, and ends as it would have where the player had come further.
      if (film.progress.hasBegun) await readToEnd(film);
      else await endFailed(film, why.code, notOpened(why));
    },
    onRestartFailed: notPlayedAgainFor,
  };
}
