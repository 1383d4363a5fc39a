import type { Backend } from '../backends/backend.ts';
import { openLedger } from '../backends/ledger.ts';
import { directVia } from '../connections/backends.ts';
import type { Host, PlayItem, ReplayRequest } from '../host/port.ts';
import { openLastPlayed, resumeKey } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import {
  createRelist,
  type PendingStream,
  playingReleaseOf,
  type ResolveContext,
  type StreamOrigin,
} from '../resolver.ts';
import type { Inventory } from '../selection/inventory.ts';
import type { SelectContext, Selection } from '../selection/selection.ts';
import { parseSettings, SETTING_IDS, type Settings } from '../settings/index.ts';
import { fileNameOf, type PlayEntry } from './entry.ts';
import { openFetchConsent } from './fetch-consent.ts';
import type { PendingPlay } from './pending-play.ts';
import { rememberPlayed } from './remember-played.ts';
import type { PlayStages } from './stages.ts';
import { askStartPosition } from './start-position.ts';

type PlayContext = Pick<SelectContext, 'host' | 'progress' | 'signal' | 'log'>;

/** Added to the person's time limit: after that a job in the ledger belongs to nobody. */
const LEDGER_GRACE_MS = 10 * 60_000;

/** Entry → what to play: the whole pipeline, with its progress shown. The progress is closed on every path. */
export async function playEntry(
  entry: PlayEntry,
  host: Host,
  log: Logger,
  stages: PlayStages,
): Promise<PendingPlay> {
  const title = entry.kind === 'play' ? stages.displayTitle(entry.request) : entry.title;
  const progress = await host.openProgress(title);
  try {
    const signal = AbortSignal.any([host.aborted, progress.cancelled]);
    const context = { host, progress, signal, log };
    const { pending, ...about } =
      entry.kind === 'play'
        ? await playRequest(entry.request, context, stages)
        : { pending: await playDirect(entry.url, context, stages) };
    return await pending.orDiscard(async () => {
      await progress.close();
      // A Back during the last steps still counts.
      signal.throwIfAborted();
      return { item: { stream: pending.stream, title, ...about }, pending };
    });
  } finally {
    await progress.close();
  }
}

type PlayableRequest = Pick<PlayItem, 'request' | 'given' | 'startAt' | 'mark'> & {
  readonly pending: PendingStream;
};

async function playRequest(
  given: MediaRequest,
  context: PlayContext,
  stages: PlayStages,
): Promise<PlayableRequest> {
  const { host } = context;
  const settings = parseSettings(await host.readSettings(SETTING_IDS));
  const folder = host.dataFolder;
  const backend = await stages.playbackBackend(settings, { files: host.files, folder, log: context.log });
  const inventory = await stages.openInventory(given, backend, { ...context, folder });
  try {
    const recalled = await host.takeReplayRequest();
    const isAsked = (await host.startedBy()) === 'person';
    const replayedRelease = recalled?.release;
    const selection = await selectFor(
      given,
      isAsked,
      { ...context, settings, inventory, replayedRelease },
      stages,
    );
    try {
      const about = { given, isAsked, recalled, settings, backend, inventory };
      return await playSelection(selection, { ...context, ...about }, stages);
    } finally {
      await selection.close();
    }
  } finally {
    inventory.close();
  }
}

/** A person is asked, unless they would not be; neither a playlist nor the service ever asks. */
async function selectFor(
  request: MediaRequest,
  isAsked: boolean,
  context: Omit<SelectContext, 'automatic' | 'previous'>,
  stages: PlayStages,
): Promise<Selection> {
  const { host, log, settings } = context;
  if (isAsked && !settings.auto_select)
    return await stages.select(request, { ...context, automatic: false }, stages);
  const after = isAsked ? undefined : await openLastPlayed({ folder: host.dataFolder, log }).find(request);
  return await stages.selectUnattended(request, { ...context, automatic: true, previous: after }, stages);
}

interface SelectionContext extends PlayContext {
  /** Without what was looked up. */
  readonly given: MediaRequest;
  /** The person started it, and may be asked. */
  readonly isAsked: boolean;
  readonly recalled: ReplayRequest | undefined;
  readonly settings: Settings;
  readonly backend: Backend;
  readonly inventory: Inventory;
}

async function playSelection(
  selection: Selection,
  context: SelectionContext,
  stages: PlayStages,
): Promise<PlayableRequest> {
  const { host, progress, signal, log, settings, backend, inventory, given, isAsked, recalled } = context;
  const { request } = selection;
  const folder = host.dataFolder;
  // What is looked up may fail the next time, and what the caller gives may be told otherwise then.
  const keyOf = (release: Release) => resumeKey(release, given, request);
  const key = keyOf(selection.chosen);
  const startAt = isAsked ? await askStartPosition(key, host, { signal, log }) : undefined;
  const timeout = settings.download_timeout * 1000;
  const failed: ResolveContext['failed'] = async (what, failure) => {
    if (failure.stale) await selection.forget();
    await inventory.broken.recordFailure(what, failure);
  };
  const resolveContext = {
    backend,
    progress,
    signal,
    log,
    timeout,
    directVia: directVia(settings),
    relist: createRelist({ settings: () => settings, dataFolder: folder, log }),
    ledger: openLedger(folder, timeout + LEDGER_GRACE_MS),
    properties: host.properties,
    attempts: settings.max_attempts,
    preflight: () => inventory.assertUsable(),
    ...(isAsked && { mayBackendFetch: openFetchConsent(backend, host, signal) }),
    failed,
    reposts: (of: Release) => selection.reposts(of).slice(0, settings.nzbget_backups),
    plan: (playing?: StreamOrigin) => ({
      request,
      backend: backend.identity,
      ...(playing !== undefined && { playing: playingReleaseOf(playing) }),
      ...(selection.unsearched === true && { unsearched: true as const }),
      releases: settings.replace_lost ? selection.upcoming().slice(0, settings.replace_attempts) : [],
    }),
  };
  const pending = await stages.resolver.resolveFirst(selection, request, resolveContext, stages.resolver);
  const { origin } = pending;
  if (origin !== undefined)
    pending.onCommit(async () => {
      await inventory.broken.recordPlayed(origin.release);
      await rememberPlayed(given, origin, { backend: backend.identity, folder, log });
    });
  return {
    request,
    given,
    pending,
    ...(origin !== undefined && { mark: JSON.stringify(keyOf(origin.release)) }),
    ...(startAt !== undefined && {
      startAt: origin?.release === selection.chosen ? startAt.chosen : startAt.another,
    }),
    // The service knows that, and would rather go on nearby.
    ...(recalled !== undefined && { startAt: recalled.position }),
  };
}

async function playDirect(
  url: string,
  context: PlayContext,
  stages: Pick<PlayStages, 'resolver'>,
): Promise<PendingStream> {
  const { host, progress, signal, log } = context;
  const name = fileNameOf(new URL(url)) || 'stream';
  return await stages.resolver.resolveDirect(
    { via: 'proxy', url, headers: {}, name },
    { properties: host.properties, progress, signal, log },
    stages.resolver,
  );
}
