import * as v from 'valibot';
import { SlipstreamError } from '../errors/index.ts';
import type { KnownFilm, ServiceHost } from '../host/port.ts';
import { pause, poll } from '../io/wait.ts';
import { resumePoints } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import { announced, PROPERTY } from '../resolver.ts';
import { playAnew } from './play-anew.ts';
import { readMark, releaseOf } from './resume-point.ts';
import type { Ended } from './tell-failed.ts';
import { forgottenStream, lookedForAnew, notAnew, unknownStream } from './words.ts';

/** Milliseconds; tests shorten them. */
export interface PlayAnewTimes {
  /** Until the player has told of its failure: before, another play would end the media centre (kodi.md §2.3). */
  readonly settle: number;
  /** Between two tries, while its box is up. */
  readonly look: number;
  /** Whoever leaves the box for longer wants nothing of it any more. */
  readonly limit: number;
  /** After it: the player may still ask for what it was refused, which is no wish for another play. */
  readonly rest: number;
}

const TIMES: PlayAnewTimes = { settle: 1_000, look: 250, limit: 60_000, rest: 5_000 };

const Noted = v.looseObject({
  origin: v.pipe(v.string(), v.nonEmpty()),
  mark: v.string(),
  title: v.optional(v.string(), ''),
});

/** What the service has noted of a stream; undefined: nothing by which the film can be started anew. */
export function readNoted(notes: unknown): KnownFilm | undefined {
  const parsed = v.safeParse(Noted, notes);
  return parsed.success ? parsed.output : undefined;
}

interface PlayAnewContext {
  readonly host: Pick<ServiceHost, 'player' | 'properties' | 'notify' | 'dataFolder'>;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Tells that it comes to nothing. */
  readonly failed: (film: Ended, failure: SlipstreamError) => Promise<void>;
  readonly times?: PlayAnewTimes;
}

/**
 * Plays a film whose stream was refused from its search on, where it was left, as soon as the media centre has put its
 * failure away; not if the person has started something else by then. Resolves when the stream may be refused again.
 * Rejects only when aborted.
 */
export async function playRefusedAnew(
  url: string,
  film: KnownFilm,
  { host, signal, log, failed, times = TIMES }: PlayAnewContext,
): Promise<void> {
  await host.notify(lookedForAnew);
  await pause(times.settle, signal);
  await lookForAnew(url, film, { host, signal, log, failed, times });
}

/**
 * As playRefusedAnew, of a stream that the proxy does not know, as after an update of the add-on; `film` is what is known
 * of it. Where that is nothing, the person is told what to do.
 * @param context isWanted: it was the player who asked, for what it was to begin with
 */
export async function playUnknownAnew(
  url: string,
  film: KnownFilm | undefined,
  context: PlayAnewContext & { readonly isWanted: () => boolean },
): Promise<void> {
  const { host, signal, log, failed, times = TIMES, isWanted } = context;
  await pause(times.settle, signal);
  if (!isWanted() || (await isElsewhere(url, host))) return;
  if (film === undefined) {
    await tellRefused(film, new SlipstreamError('PREPARE_FAILED', unknownStream), { failed, signal });
    return;
  }
  await host.notify(forgottenStream);
  await lookForAnew(url, film, { host, signal, log, failed, times });
}

async function lookForAnew(
  url: string,
  film: KnownFilm,
  { host, signal, log, failed, times }: Required<PlayAnewContext>,
): Promise<void> {
  const position = await leftAt(film, host.dataFolder, log);
  const release = releaseOf(film.mark);
  const outcome = await poll(
    async () => {
      if (await isElsewhere(url, host)) return 'elsewhere';
      return await playAnew(film.origin, { position, release }, host.player).then(
        () => 'played' as const,
        () => undefined,
      );
    },
    { signal, interval: () => times.look, deadline: times.limit },
  );
  log.info(`a stream that is gone: ${outcome ?? 'not played anew'}`);
  if (outcome === undefined) await failed(endedOf(film), new SlipstreamError('HOST_FAILED', notAnew));
  await pause(times.rest, signal);
}

/** The person plays something else, or is about to. What was refused may not be put away yet. */
async function isElsewhere(
  url: string,
  { player, properties }: Pick<ServiceHost, 'player' | 'properties'>,
): Promise<boolean> {
  if ((await properties.get(PROPERTY.active)) !== '') return true;
  const state = await player.state();
  return state !== undefined && announced(state.file) !== announced(url);
}

/** Seconds: where the film was left. */
async function leftAt({ mark }: KnownFilm, folder: string, log: Logger): Promise<number> {
  const key = readMark(mark);
  const point = key && (await resumePoints({ folder, log }).of(key));
  return point?.position ?? 0;
}

/** Milliseconds: one refusal may take 18 s, and the player may ask more than once before it gives up. */
const TOLD_FOR = 20_000;

/** Tells why a stream was refused; resolves when that may be told again. Rejects when aborted. */
export async function tellRefused(
  film: KnownFilm | undefined,
  why: SlipstreamError,
  { failed, signal }: Pick<PlayAnewContext, 'failed' | 'signal'>,
): Promise<void> {
  await failed(endedOf(film), why);
  await pause(TOLD_FOR, signal);
}

const endedOf = (film: KnownFilm | undefined): Ended => ({ title: film?.title ?? '', playsStill: false });
