import { openLedger } from '../backends/ledger.ts';
import { directVia } from '../connections/backends.ts';
import { asSlipstreamError, CancelledError, SlipstreamError } from '../errors/index.ts';
import type { ServiceHost } from '../host/port.ts';
import { deadlineSignal, every } from '../io/wait.ts';
import { openBroken, resumeKey } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import {
  announced,
  type Choices,
  orDiscard,
  type Plan,
  PROPERTY,
  playingOf,
  resolver,
  type StreamOrigin,
  withdraw,
} from '../resolver.ts';
import type { Settings } from '../settings/index.ts';
import { readMark } from './resume-point.ts';
import type { BackendsOf } from './service.ts';
import { anotherRelease, goesOnWith, noneForMissing, noOther, partsMissing } from './words.ts';

/** A film whose stream was lost. */
export interface LostFilm {
  /** Under which its title and pictures are known. */
  readonly url: string;
  /** What starts it anew, from the search on; empty while nobody knows. */
  readonly origin: string;
  /** Seconds to where it was played. */
  readonly time: number;
  /** PlayItem.mark */
  readonly mark: string;
  /** It plays still, and parts of it are missing further on. */
  readonly playsStill: boolean;
}

interface ReplacementContext {
  readonly host: Pick<ServiceHost, 'dataFolder' | 'files' | 'properties' | 'player' | 'notify'>;
  readonly settings: Settings;
  readonly rule?: ReplacementRule;
  readonly backendsOf: BackendsOf;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly stages?: typeof resolver;
  /** Aborts when the person has stopped the film that plays still. */
  readonly stopped?: AbortSignal;
}

/** Seconds: two releases of a film differ by their opening logos. */
const STEP_BACK = 15;
/** As the plugin process grants its own jobs (router/play.ts). */
const LEDGER_GRACE_MS = 10 * 60_000;
/** How a lost film's place is taken, as data. */
export interface ReplacementRule {
  /** So many releases are tried; 0: none. */
  readonly attempts: number;
  /** Milliseconds. */
  readonly limit: number;
}

/** Nobody waits longer in front of a dark screen, and a film that starts by itself later startles. */
export const REPLACEMENT_RULE: ReplacementRule = { attempts: 3, limit: 3 * 60_000 };
/** Milliseconds between two looks whether the person plays something else meanwhile. */
const LOOK_MS = 1_000;

/**
 * Plays the next release of the plan in the place of a film whose stream is lost, from about the same second on. Gives
 * way to whatever the person plays meanwhile, or stops. What comes of it is told; rejects only when aborted.
 */
export async function replace(film: LostFilm, plan: Plan, context: ReplacementContext): Promise<void> {
  const { host, signal, log, stopped, rule = REPLACEMENT_RULE } = context;
  await host.notify(film.playsStill ? partsMissing : anotherRelease(film.time));
  // The person's next film, or the end of this.
  const away = new AbortController();
  const limit = deadlineSignal(signal, rule.limit, tooLate);
  const working = AbortSignal.any([limit.signal, away.signal, ...(stopped === undefined ? [] : [stopped])]);
  const watching = every(LOOK_MS, working, async () => {
    // A host that does not answer tells of no other film.
    if (await isBusy(host, film).catch(() => false)) away.abort(new Error('something else plays'));
  });
  try {
    const releases = plan.releases.slice(0, rule.attempts);
    await playNext(film, { ...plan, releases }, { ...context, signal: working });
  } catch (error) {
    signal.throwIfAborted();
    if (away.signal.aborted || stopped?.aborted === true || error instanceof CancelledError) return;
    const failure = asSlipstreamError(error);
    log.error('no other release could be played', failure);
    await host.notify(
      film.playsStill ? noneForMissing(failure.explanation) : noOther(film.time, failure.explanation),
    );
  } finally {
    away.abort(new Error('it is over'));
    limit.done();
    await watching;
  }
}

/**
 * How the play goes on: with a release of the plan; `anew` from the search on, where there was none because the backend
 * held a season pack; or not at all. What did not prove broken is what the search would choose once more.
 */
export function wayOn(
  { releases, unsearched }: Plan,
  { origin }: LostFilm,
  { attempts, isBroken }: { readonly attempts: number; readonly isBroken: boolean },
): 'replaced' | 'anew' | 'over' {
  if (attempts === 0) return 'over';
  if (releases.length > 0) return 'replaced';
  return unsearched === true && isBroken && origin !== '' ? 'anew' : 'over';
}

/** Plays a film whose stream is lost from its search on, from about the same second. What fails is told. */
export async function playAnew(
  { origin, time, playsStill }: LostFilm,
  { notify, player }: Pick<ReplacementContext['host'], 'notify' | 'player'>,
): Promise<void> {
  await notify(playsStill ? partsMissing : anotherRelease(time));
  try {
    await player.play(origin, Math.max(0, time - STEP_BACK));
  } catch (error) {
    const { explanation } = asSlipstreamError(error);
    await notify(playsStill ? noneForMissing(explanation) : noOther(time, explanation));
    throw error;
  }
}

/** Whether the person plays something else, or is about to. The lost film itself may not be put away yet. */
async function isBusy({ player, properties }: ReplacementContext['host'], film: LostFilm): Promise<boolean> {
  const next = await properties.get(PROPERTY.streamUrl);
  if (next !== '' && next !== announced(film.url)) return true;
  const state = await player.state();
  return state !== undefined && state.file !== film.url;
}

const tooLate = () =>
  new SlipstreamError('TIMEOUT', {
    what: 'It takes too long.',
    next: 'Play the film again to choose another release.',
  });

const noBackend = () =>
  new SlipstreamError('NOT_CONFIGURED', {
    what: 'The backend that it was played from is no longer set up.',
    next: 'Play the film again.',
  });

async function playNext(
  film: LostFilm,
  { request, backend: identity, releases }: Plan,
  { host, settings, backendsOf, signal, log, stages = resolver }: ReplacementContext,
): Promise<void> {
  const { properties, player, files, dataFolder: folder } = host;
  const backends = await backendsOf(settings, { files, folder, log });
  const backend = backends.find((each) => each.identity === identity);
  if (backend === undefined) throw noBackend();
  const timeout = settings.download_timeout * 1000;
  const broken = await openBroken(request, identity, { folder, log });
  const context = {
    ...{ backend, properties, signal, log, timeout },
    ledger: openLedger(folder, timeout + LEDGER_GRACE_MS),
    // Nothing is on the screen that could show it.
    progress: { update: () => Promise.resolve() },
    attempts: releases.length,
    directVia: directVia(settings),
    failed: broken.failed,
    plan: (playing?: StreamOrigin) => ({
      ...{ request, backend: identity, releases: choices.left() },
      ...(playing !== undefined && { playing: playingOf(playing) }),
    }),
  };
  const choices = choicesOf(releases);
  const pending = await stages.resolveFirst(choices, request, context, stages);
  const { stream, from } = pending;
  const { url } = stream;
  // Where it is left is where this release is left, not the lost one.
  const mark = from === undefined ? '' : markOf(from.release, request, film.mark);
  const position = Math.max(0, (await timeOf(film, player)) - STEP_BACK);
  await orDiscard(pending, async () => {
    signal.throwIfAborted();
    if (await isBusy(host, film)) throw new CancelledError('person');
    await properties.set(PROPERTY.streamUrl, announced(url));
    await properties.set(PROPERTY.active, 'true');
    try {
      await player.play(url, position, { url: film.url, mark });
    } catch (error) {
      await withdraw(url, properties);
      throw error;
    }
  });
  await pending.commit();
  if (from !== undefined) await broken.played(from.release);
  await host.notify(goesOnWith(position));
}

/** Seconds to where the film is now: it may have gone on meanwhile. */
async function timeOf(
  { url, time }: LostFilm,
  player: ReplacementContext['host']['player'],
): Promise<number> {
  const state = await player.state();
  return state?.file === url ? state.time : time;
}

function choicesOf(releases: Plan['releases']): Choices & { left(): Plan['releases'] } {
  let left = releases;
  return {
    left: () => left,
    next: () => {
      const [release, ...others] = left;
      left = others;
      return Promise.resolve(release && { release });
    },
  };
}

/** The film stays what it was called when it was started; the release is another. */
function markOf(release: Release, request: MediaRequest, before: string): string {
  const own = resumeKey(release, request);
  const known = readMark(before);
  return JSON.stringify(known === undefined ? own : { ...own, film: known.film });
}
