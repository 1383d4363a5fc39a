import * as v from 'valibot';
import { SlipstreamError } from '../errors/index.ts';
import type { HandedOverFilm, ServiceHost } from '../host/port.ts';
import { pause, poll } from '../io/wait.ts';
import { openResumePoints } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import { maskStreamUrl, PROPERTY } from '../resolver.ts';
import { forgottenStream, replayFailed, searchingAgain, unknownStream } from './messages.ts';
import { replayFilm } from './replay.ts';
import type { EndedFilm } from './report-film-failure.ts';
import { parseMark, releaseOf } from './resume-point.ts';

/** Milliseconds; tests shorten them. */
export interface ReplayTimes {
  /** Until the player has told of its failure: before, another play would end the media centre (kodi.md §2.3). */
  readonly settle: number;
  /** Between two tries, while its box is up. */
  readonly look: number;
  /** Whoever leaves the box for longer wants nothing of it any more. */
  readonly limit: number;
  /** After it: the player may still ask for what it was refused, which is no wish for another play. */
  readonly cooldown: number;
}

const TIMES: ReplayTimes = { settle: 1_000, look: 250, limit: 60_000, cooldown: 5_000 };

const NotesShape = v.looseObject({
  origin: v.pipe(v.string(), v.nonEmpty()),
  mark: v.string(),
  title: v.optional(v.string(), ''),
});

/** What the service has noted of a stream; undefined: nothing by which the film can be started anew. */
export function parseNotes(notes: unknown): HandedOverFilm | undefined {
  const parsed = v.safeParse(NotesShape, notes);
  return parsed.success ? parsed.output : undefined;
}

interface ReplayContext {
  readonly host: Pick<ServiceHost, 'player' | 'properties' | 'notify' | 'dataFolder'>;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Tells that it comes to nothing. */
  readonly reportFailure: (film: EndedFilm, failure: SlipstreamError) => Promise<void>;
  readonly times?: ReplayTimes;
}

/**
 * Plays a film whose stream was refused from its search on, where it was left, as soon as the media centre has put its
 * failure away; not if the person has started something else by then. Resolves when the stream may be refused again.
 * Rejects only when aborted.
 */
export async function replayRefused(
  url: string,
  film: HandedOverFilm,
  { host, signal, log, reportFailure: failed, times = TIMES }: ReplayContext,
): Promise<void> {
  await host.notify(searchingAgain);
  await pause(times.settle, signal);
  await searchAgain(url, film, { host, signal, log, reportFailure: failed, times });
}

/**
 * As replayRefused, of a stream that the proxy does not know, as after an update of the add-on; `film` is what is known
 * of it. Where that is nothing, the person is told what to do.
 * @param context isWanted: it was the player who asked, for what it was to begin with
 */
export async function replayUnknown(
  url: string,
  film: HandedOverFilm | undefined,
  context: ReplayContext & { readonly isWanted: () => boolean },
): Promise<void> {
  const { host, signal, log, reportFailure: failed, times = TIMES, isWanted } = context;
  await pause(times.settle, signal);
  if (!isWanted() || (await isPlayingOther(url, host))) return;
  if (film === undefined) {
    await reportRefusal(film, new SlipstreamError('PREPARE_FAILED', unknownStream), {
      reportFailure: failed,
      signal,
    });
    return;
  }
  await host.notify(forgottenStream);
  await searchAgain(url, film, { host, signal, log, reportFailure: failed, times });
}

async function searchAgain(
  url: string,
  film: HandedOverFilm,
  { host, signal, log, reportFailure: failed, times }: Required<ReplayContext>,
): Promise<void> {
  const position = await resumePositionOf(film, host.dataFolder, log);
  const release = releaseOf(film.mark);
  const outcome = await poll(
    async () => {
      if (await isPlayingOther(url, host)) return 'elsewhere';
      return await replayFilm(film.origin, { position, release }, host.player).then(
        () => 'played' as const,
        () => undefined,
      );
    },
    { signal, interval: () => times.look, deadline: times.limit },
  );
  log.info(`a stream that is gone: ${outcome ?? 'not played anew'}`);
  if (outcome === undefined) await failed(endedOf(film), new SlipstreamError('HOST_FAILED', replayFailed));
  await pause(times.cooldown, signal);
}

/** The person plays something else, or is about to. What was refused may not be put away yet. */
async function isPlayingOther(
  url: string,
  { player, properties }: Pick<ServiceHost, 'player' | 'properties'>,
): Promise<boolean> {
  if ((await properties.get(PROPERTY.active)) !== '') return true;
  const state = await player.state();
  return state !== undefined && maskStreamUrl(state.file) !== maskStreamUrl(url);
}

/** Seconds: where the film was left. */
async function resumePositionOf({ mark }: HandedOverFilm, folder: string, log: Logger): Promise<number> {
  const key = parseMark(mark);
  const point = key && (await openResumePoints({ folder, log }).forRelease(key));
  return point?.position ?? 0;
}

/** Milliseconds: one refusal may take 18 s, and the player may ask more than once before it gives up. */
const REPORT_COOLDOWN_MS = 20_000;

/** Tells why a stream was refused; resolves when that may be told again. Rejects when aborted. */
export async function reportRefusal(
  film: HandedOverFilm | undefined,
  why: SlipstreamError,
  { reportFailure: failed, signal }: Pick<ReplayContext, 'reportFailure' | 'signal'>,
): Promise<void> {
  await failed(endedOf(film), why);
  await pause(REPORT_COOLDOWN_MS, signal);
}

const endedOf = (film: HandedOverFilm | undefined): EndedFilm => ({
  title: film?.title ?? '',
  isStillPlaying: false,
});
