import { openLedger } from '../backends/ledger.ts';
import type { BackendsOf } from '../connections/backends.ts';
import { directVia } from '../connections/backends.ts';
import { asSlipstreamError, CancelledError, SlipstreamError } from '../errors/index.ts';
import type { ProgressDisplay, ServiceHost } from '../host/port.ts';
import { deadlineSignal, repeatEvery } from '../io/wait.ts';
import { openBrokenReleases, resumeKey } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import {
  announce,
  type Choices,
  createRelist,
  maskStreamUrl,
  PROPERTY,
  playingReleaseOf,
  type ReplacementPlan,
  type ResolverStages,
  resolver,
  type StreamOrigin,
  whileSettingUp,
} from '../resolver.ts';
import type { Settings } from '../settings/index.ts';
import type { ActiveReplacement } from './active-replacement.ts';
import { openDelayedProgress } from './delayed-progress.ts';
import { isBusy } from './is-busy.ts';
import type { LostFilm } from './lost-film.ts';
import {
  noReplacement,
  noReplacementForMissing,
  replaced,
  replacementNotStarted,
  replacing,
  replacingForMissing,
} from './messages.ts';
import type { ExpectedFilm } from './playback.ts';
import type { ReplacementRule } from './replacement-rule.ts';
import { REPLACEMENT_RULE } from './replacement-rule.ts';
import { replayFilm } from './replay.ts';
import { parseMark, releaseOf } from './resume-point.ts';

type Host = Pick<
  ServiceHost,
  'dataFolder' | 'files' | 'films' | 'properties' | 'player' | 'notify' | 'openProgress'
>;

/** As they are announced: the lost film, and what takes its place once that is handed over. */
type OwnStreams = Set<string>;

export interface ReplacementContext {
  readonly host: Host;
  readonly settings: Settings;
  readonly rule?: ReplacementRule;
  readonly backendsOf: BackendsOf;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly stages?: ResolverStages;
  /** Milliseconds between two looks whether the person plays something else meanwhile; tests shorten it. */
  readonly poll?: number;
  /** Tells that nothing could take the film's place. */
  readonly failed: (film: LostFilm, failure: SlipstreamError) => Promise<void>;
  /** PlaybackMonitor.expect */
  readonly expect: (film: ExpectedFilm) => () => void;
}

/** Seconds: two releases of a film differ by their opening logos. */
const REWIND_SECONDS = 15;
/** As the plugin process grants its own jobs (router/play.ts). */
const LEDGER_GRACE_MS = 10 * 60_000;
/** ReplacementContext.poll */
const POLL_MS = 1_000;

/**
 * Plays the next release of the plan in the place of a film whose stream is lost, from about the same second on. Gives
 * way to whatever the person plays meanwhile, or stops. What comes of it is told; rejects only when aborted.
 */
export async function replaceFilm(
  replacement: ActiveReplacement,
  plan: ReplacementPlan,
  context: ReplacementContext,
): Promise<void> {
  const { host, signal, log, rule = REPLACEMENT_RULE, poll: look = POLL_MS } = context;
  const { stopped, filmBrokeOff: brokeOff } = replacement;
  const tell = () =>
    host.notify(replacement.film.isStillPlaying ? replacingForMissing : replacing(replacement.film.time));
  const open = () => host.openProgress(plan.request.title);
  await tell();
  // Nothing covers a film that plays still.
  const progress = replacement.film.isStillPlaying
    ? openDelayedProgress(brokeOff, async () => {
        await tell();
        return await open();
      })
    : await open();
  // At once: what is cleaned up after a Back may take its time.
  progress.cancelled.addEventListener('abort', () => {
    progress.close().catch(() => undefined);
  });
  // The person's next film, or the end of this.
  const away = new AbortController();
  const limit = deadlineSignal(signal, rule.limit, timeoutError);
  const ends = [limit.signal, away.signal, progress.cancelled, stopped];
  const working = AbortSignal.any(ends);
  const ours = new Set([maskStreamUrl(replacement.film.url)]);
  const watching = repeatEvery(look, working, async () => {
    // A host that does not answer tells of no other film.
    if (await isBusy(host, ours).catch(() => false)) away.abort(new Error('something else plays'));
  });
  try {
    const releases = plan.releases.slice(0, rule.attempts);
    // Before svc.active is this process's: who has raised it could not be told any more.
    if (await isBusy(host, ours)) throw new CancelledError('person');
    await whileSettingUp(host.properties, () =>
      playNext(replacement, { ...plan, releases }, { ...context, signal: working, shown: progress, ours }),
    );
  } catch (error) {
    signal.throwIfAborted();
    const isGivenUp = progress.cancelled.aborted || stopped.aborted;
    // Something else plays, which goes on as it likes.
    if (away.signal.aborted || (error instanceof CancelledError && !isGivenUp)) return;
    host.player.releaseQueue();
    if (isGivenUp) return;
    const failure = asSlipstreamError(error);
    log.error('no other release could be played', failure);
    const { film } = replacement;
    await context.failed(film, failure instanceof NotStarted ? failure : replacementFailure(film, failure));
  } finally {
    away.abort(new Error('it is over'));
    limit.done();
    await Promise.all([watching, progress.close()]);
  }
}

/**
 * How the play goes on: with a release of the plan; `anew` from the search on, where there was none because the backend
 * held a season pack; or not at all. What did not prove broken is what the search would choose once more.
 */
export function nextStepOf(
  { releases, unsearched }: ReplacementPlan,
  { origin }: LostFilm,
  { attempts, isBroken }: { readonly attempts: number; readonly isBroken: boolean },
): 'replaced' | 'anew' | 'over' {
  if (attempts === 0) return 'over';
  if (releases.length > 0) return 'replaced';
  return unsearched === true && isBroken && origin !== '' ? 'anew' : 'over';
}

/** Plays a film whose stream is lost from its search on, from about the same second. What fails is told. */
export async function replaceBySearch(
  film: LostFilm,
  {
    host: { notify, player, properties },
    failed,
  }: Pick<ReplacementContext, 'failed'> & { readonly host: Pick<Host, 'notify' | 'player' | 'properties'> },
): Promise<void> {
  const { url, origin, time, mark, isStillPlaying: playsStill } = film;
  await notify(playsStill ? replacingForMissing : replacing(time));
  try {
    await replayFilm(origin, { position: time - REWIND_SECONDS, release: releaseOf(mark) }, player);
  } catch (error) {
    // The player refuses also because the person was quicker.
    if (await isBusy({ player, properties }, new Set([maskStreamUrl(url)]))) return;
    player.releaseQueue();
    await failed(film, replacementFailure(film, asSlipstreamError(error)));
  }
}

/** The failure of what was to take the film's place, as that of the film. */
function replacementFailure(
  { isStillPlaying: playsStill, time }: LostFilm,
  cause: SlipstreamError,
): SlipstreamError {
  const { code, explanation } = cause;
  return new SlipstreamError(
    code,
    playsStill ? noReplacementForMissing(explanation) : noReplacement(time, explanation),
    {
      cause,
    },
  );
}

/** Another release was made ready, and the player did not take it. */
class NotStarted extends SlipstreamError {
  constructor(cause?: unknown) {
    super('HOST_FAILED', replacementNotStarted, { cause });
  }
}

const timeoutError = () =>
  new SlipstreamError('TIMEOUT', {
    what: 'It takes too long.',
    next: 'Play the film again to choose another release.',
  });

const noBackendError = () =>
  new SlipstreamError('NOT_CONFIGURED', {
    what: 'The backend that it was played from is no longer set up.',
    next: 'Play the film again.',
  });

async function playNext(
  replacement: ActiveReplacement,
  { request, backend: identity, releases }: ReplacementPlan,
  {
    host,
    settings,
    backendsOf,
    signal,
    log,
    shown,
    ours,
    expect,
    failed,
    stages = resolver,
  }: ReplacementContext & { readonly shown: ProgressDisplay; readonly ours: OwnStreams },
): Promise<void> {
  const { properties, player, files, dataFolder: folder } = host;
  const backends = await backendsOf(settings, { files, folder, log });
  const backend = backends.find((each) => each.identity === identity);
  if (backend === undefined) throw noBackendError();
  const timeout = settings.download_timeout * 1000;
  const broken = await openBrokenReleases(request, identity, { folder, log });
  const context = {
    backend,
    properties,
    signal,
    log,
    timeout,
    ledger: openLedger(folder, timeout + LEDGER_GRACE_MS),
    progress: shown,
    attempts: releases.length,
    directVia: directVia(settings),
    relist: createRelist({ settings: () => settings, dataFolder: folder, log }),
    failed: broken.recordFailure,
    plan: (playing?: StreamOrigin) => ({
      request,
      backend: identity,
      releases: choices.left(),
      ...(playing !== undefined && { playing: playingReleaseOf(playing) }),
    }),
  };
  const choices = choicesOf(releases);
  const pending = await stages.resolveFirst(choices, request, context, stages);
  const { stream, origin } = pending;
  const { url } = stream;
  // Where it is left is where this release is left, not the lost one.
  const mark = origin === undefined ? '' : markOf(origin.release, request, replacement.film.mark);
  const position = Math.max(0, (await currentTimeOf(replacement.film, player)) - REWIND_SECONDS);
  await pending.orDiscard(async () => {
    await shown.close();
    signal.throwIfAborted();
    if (await isBusy(host, ours)) throw new CancelledError('person');
    ours.add(maskStreamUrl(url));
    await announce(url, properties);
    // Before it is played: Kodi tells of its start sooner than of having taken it.
    const forget = expect({
      url,
      startMessage: replaced(position),
      onNotStarted: async () => {
        await withdrawReplacement(url, replacement.film, host);
        await host.films.forget(url);
        if (await isBusy(host, ours)) return;
        player.releaseQueue();
        await failed(replacement.film, new NotStarted());
      },
    });
    try {
      await player.play(url, position, { url: replacement.film.url, mark });
    } catch (error) {
      forget();
      await withdrawReplacement(url, replacement.film, host);
      // The player refuses also because the person was quicker.
      throw (await isBusy(host, ours)) ? new CancelledError('person') : new NotStarted(error);
    }
  });
  // It was handed over: what fails from here on is no failure of the play.
  const noted = async () => {
    await pending.commit();
    if (origin !== undefined) await broken.recordPlayed(origin.release);
  };
  await noted().catch((error: unknown) => {
    log.error('what plays in the place of a lost film could not be noted', error);
  });
}

/** What was announced is not played. The film that plays still is what is announced again. */
async function withdrawReplacement(url: string, film: LostFilm, { player, properties }: Host): Promise<void> {
  const isOurs = (await properties.get(PROPERTY.streamUrl)) === maskStreamUrl(url);
  if (!film.isStillPlaying || !isOurs) return resolver.withdraw(url, properties);
  await announce(film.url, properties);
  // Not before: an end that comes between would leave it announced.
  const state = await player.state().catch(() => undefined);
  if (state?.file !== film.url) await resolver.withdraw(film.url, properties);
}

/** Seconds to where the film is now: it may have gone on meanwhile. */
async function currentTimeOf({ url, time }: LostFilm, player: Host['player']): Promise<number> {
  const state = await player.state();
  return state?.file === url ? state.time : time;
}

function choicesOf(releases: ReplacementPlan['releases']): Choices & { left(): ReplacementPlan['releases'] } {
  let left = releases;
  return {
    left: () => left,
    next: () => {
      const [release, ...others] = left;
      left = others;
      return Promise.resolve(release && { kind: 'found', release });
    },
  };
}

/** The film stays what it was called when it was started; the release is another. */
function markOf(release: Release, request: MediaRequest, before: string): string {
  const own = resumeKey(release, request);
  const known = parseMark(before);
  return JSON.stringify(known === undefined ? own : { ...known, release: own.release, cut: own.cut });
}
